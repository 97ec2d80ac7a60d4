#!/usr/bin/env python3
"""Makes manual pages of the command's help: one for each command, and one for each page of the help.

usage: Tools/manuals.py BINARY DIRECTORY   (DIRECTORY gets man1/*.1.gz and man7/*.7.gz)
"""
import gzip
import json
import os
import subprocess
import sys


def said(binary, *words):
    return subprocess.run([binary, *words], check=True, capture_output=True, text=True).stdout


def escaped(text):
    """Text as roff prints it: a backslash, a hyphen and a dot or quote at the beginning are its own."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraphs(text):
    """Paragraphs flow; indented lines stay as they are."""
    out = []
    for part in text.split("\n\n"):
        lines = part.split("\n")
        flowing = [line for line in lines if line and not line.startswith("  ")]
        kept = [line for line in lines if line.startswith("  ")]
        if flowing:
            out.append(".PP\n" + escaped("\n".join(flowing)))
        if kept:
            # At the page's edge they keep within the 80 columns that the help has.
            out.append(".PP\n.nf\n.in 0\n" + escaped("\n".join(kept)) + "\n.in\n.fi")
    return "\n".join(out)


def option(argument):
    if argument["kind"] == "positional":
        return "\\fI" + escaped(argument["valueName"]) + "\\fR"
    marks = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    names = ", ".join(
        "\\fB" + escaped(marks[name["kind"]] + name["name"]) + "\\fR" for name in argument["names"])
    if argument["kind"] == "option":
        names += " \\fI" + escaped(argument["valueName"]) + "\\fR"
    return names


def names(command):
    return ", ".join([command["commandName"]] + command.get("aliases", []))


def synopsis(binary, name, command, shown, hasSubcommands):
    """As the help has it where somebody wrote it; else without the options, which follow below."""
    usage = said(binary, "help", *name.split()[1:]).partition("USAGE: ")[2].partition("\n\n")[0]
    if name != "cairn" and "<" not in usage:
        return "\n.br\n".join(escaped(line.strip()) for line in usage.split("\n"))
    if hasSubcommands:
        return f"\\fB{escaped(name)}\\fR \\fIcommand\\fR"
    words = ["[\\fIoptions\\fR]"]
    for one in shown:
        if one["kind"] == "positional":
            word = option(one) + (" ..." if one.get("isRepeating") else "")
            words.append(f"[{word}]" if one.get("isOptional") else word)
    return f"\\fB{escaped(name)}\\fR " + " ".join(words)


def page(binary, name, command, version, pages):
    title = name.replace(" ", "-")
    text = [f'.TH "{title.upper()}" 1 "" "cairn {version}" "User Commands"', ".SH NAME",
            escaped(title) + " \\- " + escaped((command.get("abstract") or "").rstrip("."))]
    shown = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    subcommands = [one for one in command.get("subcommands", [])
                   if one["shouldDisplay"] and one["commandName"] != "help"]
    text += [".SH SYNOPSIS", synopsis(binary, name, command, shown, bool(subcommands))]
    if command.get("discussion"):
        text += [".SH DESCRIPTION", paragraphs(command["discussion"])]
    if subcommands:
        text.append(".SH COMMANDS")
        for one in subcommands:
            text += [".TP", "\\fB" + escaped(names(one)) + "\\fR",
                     escaped(one.get("abstract") or "")]
    if shown:
        text.append(".SH OPTIONS")
        for one in shown:
            about = one.get("abstract") or ""
            values = one.get("allValues") or []
            if not all(value in about for value in values):
                about += f" One of: {', '.join(values)}."
            if one.get("defaultValue"):
                about += f" Default: {one['defaultValue']}."
            text += [".TP", option(one), escaped(about)]
    others = [title.rsplit("-", 1)[0] + "(1)"] if title != "cairn" else []
    text += [".SH SEE ALSO", escaped(", ".join(others + [f"cairn-{one}(7)" for one in pages]))]
    return "\n".join(text) + "\n"


def write(directory, name, section, text):
    folder = os.path.join(directory, f"man{section}")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{name}.{section}.gz")
    # The same help gives the same bytes: no name and no time inside.
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text.encode())


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: Tools/manuals.py BINARY DIRECTORY")
    binary, directory = sys.argv[1:]
    version = said(binary, "--version").split()[1]
    pages = ["filters", "times", "points", "schemas"]
    count = 0

    def walk(name, command):
        nonlocal count
        title = name.replace(" ", "-")
        write(directory, title, 1, page(binary, name, command, version, pages))
        for other in command.get("aliases", []):
            link = os.path.join(directory, "man1", f"cairn-{other}.1.gz")
            if os.path.lexists(link):
                os.remove(link)
            os.symlink(f"{title}.1.gz", link)
        count += 1
        for one in command.get("subcommands", []):
            # `import web` is a command of its own that the list of commands leaves out.
            if one["commandName"] != "help":
                walk(f"{name} {one['commandName'].replace('-', ' ')}", one)

    walk("cairn", json.loads(said(binary, "--experimental-dump-help"))["command"])
    for name in pages:
        first, _, rest = said(binary, "help", name).partition("\n")
        title = f"cairn-{name}"
        text = (f'.TH "{title.upper()}" 7 "" "cairn {version}" "cairn"\n.SH NAME\n{escaped(title)} \\- '
                + escaped(first.partition(": ")[2] or first) + "\n.SH DESCRIPTION\n.nf\n.in 0\n"
                + escaped(rest.strip("\n")) + "\n.in\n.fi\n.SH SEE ALSO\ncairn(1)\n")
        write(directory, title, 7, text)
    print(f"{directory}: {count + len(pages)} manual pages")


main()
