"""Makes the site of the documents: `python3 .ci/site OUTPUT ARCHIVE …`.

The archives are those of DocC, which .ci/docs makes. Fails if a link leads nowhere.
Needs Debian's python3-markdown.
"""
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse

import pages


class Links(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.addresses = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        address = attributes.get("href") or attributes.get("src")
        if address:
            self.addresses.append(address)


def dead_links(output):
    """The links of the pages in a folder that lead to no file, or to no anchor."""
    links = {path: Links(path) for path in sorted(output.rglob("*.html"))}
    for file, page in links.items():
        for address in page.addresses:
            if re.match(r"(https?|mailto):", address):
                continue
            path, _, anchor = address.partition("#")
            target = file
            if path:
                target = pathlib.Path(os.path.normpath(file.parent / urllib.parse.unquote(path)))
            if target not in links and not (target.is_file() and target.is_relative_to(output)):
                yield f"{file.relative_to(output)}: {address}"
            elif anchor and target in links and urllib.parse.unquote(anchor) not in links[target].ids:
                yield f"{file.relative_to(output)}: {address}"


def main():
    output = pathlib.Path(sys.argv[1]).resolve()
    site = pages.Site(output, [pathlib.Path(archive) for archive in sys.argv[2:]])
    site.write()
    dead = site.missing + list(dead_links(output))
    # A page without its links would have no dead ones.
    for page in site.pages.values():
        text = (output / page.name).read_text(encoding="utf-8").partition("<main>")[2]
        names = {name for name, _ in re.findall(r"<doc:(\w+)(#[\w-]+)?>", page.text)}
        dead += [f"{page.name}: no link to {name}" for name in sorted(names) if f'href="{name}.html' not in text]
    for link in dead:
        print("dead link in", link)
    if dead:
        sys.exit(1)
    print(f"{len(site.pages)} pages and {len(site.reference.symbols)} of the API in {output}")


main()
