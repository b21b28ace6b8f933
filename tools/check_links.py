#!/usr/bin/env python3
"""Checks that relative links and images in the Markdown files lead to a file, and '#anchors' to a heading.

usage: check_links.py [ROOT]

Links to other hosts are not followed. Exit 0: all lead somewhere, 1: some do not.
"""
import re
import sys
from pathlib import Path
from urllib.parse import unquote

SKIPPED = re.compile(r"^(build.*|node_modules|\.git|\.cache)$")
INLINE = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)")
HTML = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=\"([^\"]+)\"")
FENCE = re.compile(r"^\s*(```+|~~~+)")


def markdown_files(root):
    for file in sorted(root.rglob("*.md")):
        if not any(SKIPPED.match(part) for part in file.relative_to(root).parts[:-1]):
            yield file


def prose_lines(text):
    """(number, line) of what is not code; code spans are blanked."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if match:
            if fence is None:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = None
            continue
        if fence is None:
            yield number, re.sub(r"(`+)(?:(?!\1).)+\1", "", line)


def anchors(file):
    """The anchors of a Markdown file, made from its headings as GitHub does."""
    fence, seen, found = None, {}, set()
    for line in file.read_text(encoding="utf-8").splitlines():
        match = FENCE.match(line)
        if match:
            fence = None if fence else match[1]
        heading = None if fence else re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = seen.get(slug, 0)
            seen[slug] = count + 1
            found.add(f"{slug}-{count}" if count else slug)
        found.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
    return found


def problem(root, file, link):
    """What is wrong with one link, or None."""
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", link):
        return None
    path, _, anchor = link.partition("#")
    target = file
    if path:
        base = root if path.startswith("/") else file.parent
        target = (base / unquote(path).lstrip("/")).resolve()
        if not target.is_relative_to(root):
            return "leads out of the project"
        if not target.exists():
            return "leads nowhere"
    if anchor and target.suffix == ".md" and unquote(anchor) not in anchors(target):
        return "names no heading there"
    return None


def broken(root):
    found = []
    for file in markdown_files(root):
        for number, line in prose_lines(file.read_text(encoding="utf-8")):
            links = INLINE.findall(line) + HTML.findall(line) + DEFINITION.findall(line)
            for link in links:
                what = problem(root, file, link)
                if what:
                    found.append(f"{file.relative_to(root)}:{number}: {link} {what}")
    return found


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent).resolve()
    found = broken(root)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
