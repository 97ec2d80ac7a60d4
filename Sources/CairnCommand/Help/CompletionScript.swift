import ArgumentParser

/// The script by which a shell completes lines.
///
/// ArgumentParser writes it. It knows no other names of commands, not what `help` tells of, not
/// `import web`, which is one command in two words, no words that may stand for a file, and not
/// that options right behind `serve` are those of `serve run`.
enum CompletionScript {
  static let isWanted = CommandLine.arguments.contains {
    $0.hasPrefix("--generate-completion-script")
  }

  /// What ArgumentParser wrote, with those.
  static func mended(_ script: String) -> String {
    var text = script
    for (mark, lines) in [
      (bashMark, bash), (bashNamesMark, bashNames), (bashWordsMark, bashWords), (zshMark, zsh),
      (zshImportMark, zshImport), (zshHelpMark, zshHelp), (fishMark, fish),
      (fishImportMark, fishImport), (fishHelpMark, fishHelp),
    ] {
      // The first one is about the command itself.
      if let place = text.firstRange(of: mark) { text.replaceSubrange(place, with: lines) }
    }
    // Nobody has to type the one word.
    let offers = ["'import-web:", "-fa 'import-web'"]
    return text.replacing(" import import-web ", with: " import ")
      .replacing("__cairn_add_completions -W \"$(", with: "__cairn_add_names \"$(")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .filter { line in !offers.contains { line.contains($0) } }
      .map { withoutRepetition(withSign(withoutMessage($0))) }.joined(separator: "\n")
  }

  /// A line of zsh's script for words that nothing completes: what zsh says in their place would
  /// keep it from completing options.
  private static func withoutMessage(_ line: Substring) -> Substring {
    let specification = line.drop { $0 == " " }
    guard specification.hasPrefix("'*:") || specification.hasPrefix("':"),
      specification.hasSuffix(":'")
    else { return line }
    return line.dropLast() + "()'"
  }

  /// A line of zsh's script for an option with a value, which may stand behind `=` too.
  private static func withSign(_ line: Substring) -> Substring {
    let specification = line.drop { $0 == " " }
    guard specification.hasPrefix("'--") || specification.hasPrefix("'*--"),
      specification.contains("]:"), let bracket = specification.firstIndex(of: "[")
    else { return line }
    return line[..<bracket] + "=" + line[bracket...]
  }

  /// A line of fish's script whose values have no meaning of their own: fish would show the help of
  /// the option beside each of them.
  private static func withoutRepetition(_ line: Substring) -> String {
    let mark = " -rfka '"
    guard line.hasPrefix("complete "), let place = line.firstRange(of: mark),
      line[place.upperBound...].first?.isLetter == true
    else { return String(line) }
    let values = line[place.upperBound...].dropLast().split(separator: " ")
    let list = values.map { "\($0)\\t" }.joined(separator: " ")
    return "\(line[..<place.upperBound])\(list)'"
  }

  /// A line of the script for each command that has other names.
  private static func others(_ line: (_ others: [String], _ name: String) -> String) -> String {
    CairnCommand.configuration.subcommands.filter { !$0.configuration.aliases.isEmpty }
      .map { line($0.configuration.aliases, $0._commandName) }.joined(separator: "\n")
  }

  /// What `help` is asked about, a line each; ArgumentParser only knows that words stand there.
  private static var topics: String {
    let commands = CairnCommand.configuration.subcommands.map { $0._commandName }
    let pages = HelpPage.allCases.map(\.rawValue)
    return (commands.filter { $0 != "import-web" } + pages).joined(separator: "\n")
  }

  private static let bashMark = #"    local -r subcommand="${unparsed_words[0]}""#

  private static var bash: String {
    #"""
        local subcommand="${unparsed_words[0]}"
        case "${subcommand}" in
    \#(others { "    \($0.joined(separator: "|"))) subcommand=\($1) ;;" })
        help)
            if [[ "${#unparsed_words[@]}" -eq 2 ]]; then
                __cairn_add_completions -W '\#(topics)'
            fi
            ;;
        import)
            if [[ "${unparsed_words[1]}" = web && "${#unparsed_words[@]}" -gt 2 ]]; then
                subcommand=import-web
                unparsed_words=("${unparsed_words[@]:1}")
            elif [[ "${#unparsed_words[@]}" -eq 2 ]]; then
                __cairn_add_completions -W '\#(ImportSources.firstWords.joined(separator: "\n"))'
            fi
            ;;
        serve)
            if [[ "${unparsed_words[1]}" = -* ]]; then
                unparsed_words=(serve run "${unparsed_words[@]:1}")
            fi
            ;;
        esac
    """#
  }

  private static let bashNamesMark = "__cairn_add_completions() {"

  /// What `compgen -W` is given it expands, and would so run what a name from elsewhere says; the
  /// signs left out here are those that readline leaves unquoted on the line.
  private static let bashNames = #"""
    __cairn_add_names() {
        local name
        while IFS='' read -r name; do
            if [[ -n "${name}" && "${name}" = "${cur}"* && "${name}" != *[\$\`]* ]]; then
                COMPREPLY+=("${name}")
            fi
        done <<<"${1}"
    }

    __cairn_add_completions() {
    """#

  private static let bashWordsMark = "_cairn() {\n    local state\n"

  /// Bash cuts words at colons, gives them with their quotes and backslashes, and puts what is
  /// found in the place of the last piece alone: identifiers are URLs more often than not.
  ///
  /// It cuts at `=` too: what stands behind that of an option is read as the next word.
  private static let bashWords = #"""
    __cairn_plain() {
        plain="${1#[\'\"]}"
        if [[ "${plain}" = "${1}" ]]; then
            plain="${plain//\\/}"
        else
            plain="${plain%[\'\"]}"
        fi
    }

    _cairn() {
        local -a meant=()
        local word last='' rest="${COMP_LINE}" cut='' plain
        local -i index place=0
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[index]}"
            if [[ "${word}" = '=' && "${last}" = --* && "${rest}" = =* ]]; then
                rest="${rest#=}" last=''
                [[ "${index}" -lt "${COMP_CWORD}" ]] && continue
                place="${#meant[@]}"
                meant+=('')
                break
            fi
            if [[ "${index}" -gt 0 && "${rest}" != [[:space:]]* ]] &&
                [[ "${last}" =~ ^:+$ || "${word}" =~ ^:+$ ]]
            then
                cut="${meant[place]}"
            else
                place="${#meant[@]}" cut=''
            fi
            meant[place]+="${word}"
            rest="${rest#"${rest%%[![:space:]]*}"}"
            rest="${rest#"${word}"}"
            last="${word}"
            [[ "${index}" -eq "${COMP_CWORD}" ]] && break
        done
        [[ -z "${2}" && "${last}" =~ ^:+$ ]] && cut="${meant[place]}"
        local -a others=("${COMP_WORDS[@]:index + 1}")
        local -a COMP_WORDS=()
        for word in "${meant[@]}" "${others[@]}"; do
            __cairn_plain "${word}"
            COMP_WORDS+=("${plain}")
        done
        local -i COMP_CWORD="${place}"
        __cairn_plain "${cut}"
        cut="${plain}"
        __cairn_plain "${2}"
        __cairn_words "${1}" "${cut}${plain}" "${COMP_WORDS[place - 1]}"
        for index in "${!COMPREPLY[@]}"; do
            COMPREPLY[index]="${COMPREPLY[index]#"${cut}"}"
        done
    }

    __cairn_words() {
        local state

    """#

  private static let zshMark = "    arg)\n"

  private static var zsh: String {
    #"""
        arg)
            case "${words[1]}" in
    \#(others { "        \($0.joined(separator: "|"))) words[1]=\($1) ;;" })
            import)
                if [[ "${words[2]}" == web && "${CURRENT}" -gt 2 ]]; then
                    shift words
                    words[1]=import-web
                    (( CURRENT-- ))
                fi
                ;;
            serve)
                if [[ "${words[2]}" == -* ]]; then
                    words=(serve run "${(@)words[2,-1]}")
                    (( CURRENT++ ))
                fi
                ;;
            esac

    """#
  }

  private static let zshImportMark = "        '*:words:_files'\n"

  /// What `import` takes in the place of its first file; so below.
  private static var zshImport: String {
    let words = ImportSources.firstWords.joined(separator: " ")
    return "        '1:words:{_alternative \"formats:format:(\(words))\" \"files:file:_files\"}'\n"
      + zshImportMark
  }

  private static let zshHelpMark = "        '*:subcommands:'\n"
  private static var zshHelp: String {
    "        '1:topic:(\(topics.replacing("\n", with: " ")))'\n"
  }

  private static let fishMark = "        __cairn_parse_subcommand 0 'version' 'h/help'\n"

  private static var fish: String {
    #"""
            __cairn_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
    \#(others { "        case \($0.joined(separator: " "))\n            set unparsed_tokens[1] \($1)" })
            case import
                if test "$unparsed_tokens[2]" = web
                    set -e unparsed_tokens[1]
                    set unparsed_tokens[1] import-web
                end
            case serve
                set -l behind $unparsed_tokens[2..] (commandline -ct)
                if string match -q -- '-*' $behind[1]
                    set unparsed_tokens serve run $unparsed_tokens[2..]
                end
            end

    """#
  }

  private static let fishImportMark = #" "cairn import" -ge 1' -F"#

  private static let fishHelpMark =
    "complete -c 'cairn' -n '__cairn_should_offer_completions_for_flags_or_options \"cairn help\""

  private static var fishHelp: String {
    let words = topics.replacing("\n", with: " ")
    let place = #"complete -c 'cairn' -n '__cairn_should_offer_completions_for_positional"#
    return place + #" "cairn help" -eq 1' -fa '"# + words + "'\n" + fishHelpMark
  }

  private static var fishImport: String {
    let words = ImportSources.firstWords.map { "\($0)\\t" }.joined(separator: " ")
    let place = #"complete -c 'cairn' -n '__cairn_should_offer_completions_for_positional"#
    return fishImportMark + "\n" + place + #" "cairn import" -eq 1' -a '"# + words + "'"
  }
}
