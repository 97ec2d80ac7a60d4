import ArgumentParser

/// What makes a key of a shell put an item on the line.
enum ShellBinding: String, CaseIterable, ExpressibleByArgument {
  case bash, zsh, fish

  /// The shell's own words, without a newline at the end.
  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  private static let bashText = #"""
    # Ctrl-G finds an item and puts it at the cursor. In ~/.bashrc: eval "$(cairn find --shell bash)"
    __cairn_find() {
      local found
      found=$(cairn find --line) || return 0
      READLINE_LINE=${READLINE_LINE:0:READLINE_POINT}$found${READLINE_LINE:READLINE_POINT}
      READLINE_POINT=$((READLINE_POINT + ${#found}))
    }
    bind -x '"\C-g": __cairn_find'
    """#

  private static let zshText = #"""
    # Ctrl-G finds an item and puts it at the cursor. In ~/.zshrc: eval "$(cairn find --shell zsh)"
    __cairn_find() {
      local found
      found=$(cairn find --line </dev/tty) && LBUFFER+=$found
      zle reset-prompt
    }
    zle -N __cairn_find
    bindkey '^G' __cairn_find
    """#

  private static let fishText = #"""
    # Ctrl-G finds an item and puts it at the cursor. In config.fish: cairn find --shell fish | source
    function __cairn_find
      set -l found (cairn find --line | string collect)
      and commandline --insert -- $found
      commandline --function repaint
    end
    bind \cg __cairn_find
    """#
}
