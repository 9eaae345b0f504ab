"""The pages of the API reference, from the render JSON of DocC.

DocC's own pages are an application that needs a server. These are plain HTML.
Schema: https://github.com/swiftlang/swift-docc/tree/main/Sources/SwiftDocC/SwiftDocC.docc/Resources
"""
import functools
import html
import json
import os
import pathlib
import re
import urllib.parse

FOLDER = "api"


def quoted(path):
    return urllib.parse.quote(path, safe="/#")


class Symbol:
    """A page of DocC about a symbol or a group of symbols."""

    def __init__(self, path, content):
        self.content = content
        self.path = path  # relative to the site
        self.metadata = content["metadata"]
        self.title = self.metadata["title"]
        self.references = content["references"]


class Reference:
    """All symbols of some modules."""

    def __init__(self, archives, articles, documents):
        """`archives`: the archives of DocC. `articles`: the pages of articles by their names in
        lower case. `documents`: the pages of documents by their paths in the repository."""
        self.articles = articles
        self.documents = documents
        self.symbols = {}
        self.modules = []
        for archive in archives:
            data = archive / "data/documentation"
            for file in sorted(data.rglob("*.json")):
                content = json.loads(file.read_text(encoding="utf-8"))
                if content["kind"] == "article" and content["metadata"].get("role") != "collectionGroup":
                    continue
                name = file.relative_to(data).with_suffix("")
                symbol = Symbol(f"{FOLDER}/{name}.html", content)
                self.symbols["/documentation/" + str(name).lower()] = symbol
                if content["metadata"].get("symbolKind") == "module":
                    self.modules.append(symbol)

    def page(self, name):
        """The address of a symbol that documents name, as in `List/append(_:)`; None if it has no
        page, or one of several."""
        for module in self.modules:
            start = module.path.removeprefix(FOLDER + "/").removesuffix(".html")
            path = f"/documentation/{start}/{name.lower()}"
            symbol = self.symbols.get(path) or self.plain.get(path)
            if symbol:
                return quoted(symbol.path)
        return None

    @functools.cached_property
    def plain(self):
        """The symbols by paths without DocC's suffixes, as in `configuration-swift.struct`; None for
        several."""
        found = {}
        for path, symbol in self.symbols.items():
            name = re.sub(r"-(swift\.\w+|[0-9a-z]{4,5})(?=/|$)", "", path)
            found[name] = None if name in found else symbol
        return found

    def write(self, output, frame):
        """`frame`: makes a page of a path, a title and a body."""
        for symbol in self.symbols.values():
            file = output / symbol.path
            file.parent.mkdir(parents=True, exist_ok=True)
            body = Body(self, symbol).html()
            file.write_text(frame(symbol.path, symbol.title, body), encoding="utf-8")


class Body:
    """The content of one page."""

    def __init__(self, reference, symbol):
        self.reference = reference
        self.symbol = symbol

    def html(self):
        content, metadata = self.symbol.content, self.symbol.metadata
        parts = [self.path(), f"<h1>{html.escape(self.symbol.title)}</h1>"]
        if "conformance" in metadata:
            conformance = metadata["conformance"]
            constraints = conformance["availabilityPrefix"] + [{"type": "text", "text": " "}]
            parts.append(f"<p>{self.inline(constraints + conformance['constraints'])}</p>")
        if content.get("deprecationSummary"):
            parts.append(f"<blockquote>Deprecated. {self.blocks(content['deprecationSummary'])}</blockquote>")
        if content.get("abstract"):
            parts.append(f"<p>{self.inline(content['abstract'])}</p>")
        sections = content.get("primaryContentSections", [])
        for section in sorted(sections, key=lambda section: section["kind"] == "mentions"):
            parts.append(self.section(section))
        for key in ["topicSections", "defaultImplementationsSections", "relationshipsSections",
                    "seeAlsoSections"]:
            for section in content.get(key, []):
                parts.append(f"<h2>{html.escape(section['title'])}</h2>")
                parts.append(self.list(section["identifiers"]))
        return "\n".join(parts)

    def path(self):
        """Links to the symbols that contain this one."""
        paths = self.symbol.content.get("hierarchy", {}).get("paths") or [[]]
        links = [self.link(identifier) for identifier in paths[0]]
        kind = self.symbol.metadata.get("roleHeading", "")
        return f"<p class=\"path\">{' / '.join(links + [html.escape(kind)])}</p>"

    def address(self, reference):
        """The address of a reference, relative to this page; None for one without a page."""
        if reference.get("type") == "link":
            return html.escape(reference["url"])
        url, _, anchor = reference.get("url", "").partition("#")
        target = self.reference.symbols.get(url.lower())
        path = target.path if target else None
        if not target and reference.get("kind") in ["article", "section"]:
            path = self.reference.articles.get(url.rpartition("/")[2].lower())
        if not path:
            return None
        # The anchors of articles are in lower case.
        return self.relative(path) + ("#" + (anchor if target else anchor.lower()) if anchor else "")

    def relative(self, path):
        """The address of a page of the site from this one."""
        return quoted(os.path.relpath(path, pathlib.PurePath(self.symbol.path).parent))

    def link(self, identifier, text=None):
        reference = self.symbol.references.get(identifier, {})
        title = text or html.escape(reference.get("title", identifier.rpartition("/")[2]))
        if reference.get("kind") == "symbol" and not text:
            title = f"<code>{title}</code>"
        address = self.address(reference)
        return f'<a href="{address}">{title}</a>' if address else title

    def list(self, identifiers):
        items = []
        for identifier in identifiers:
            reference = self.symbol.references.get(identifier, {})
            fragments = "".join(token["text"] for token in reference.get("fragments", []))
            title = f"<code>{html.escape(fragments)}</code>" if fragments else None
            abstract = self.inline(reference.get("abstract", []))
            items.append(f"<li>{self.link(identifier, title)}{'<br>' + abstract if abstract else ''}</li>")
        return "<ul>\n" + "\n".join(items) + "\n</ul>"

    def section(self, section):
        kind = section["kind"]
        if kind == "declarations":
            return "\n".join(self.declaration(each["tokens"]) for each in section["declarations"])
        if kind == "parameters":
            items = "".join(
                f"<dt><code>{html.escape(each['name'])}</code></dt><dd>{self.blocks(each['content'])}</dd>"
                for each in section["parameters"])
            return f"<h2>Parameters</h2>\n<dl>{items}</dl>"
        if kind == "content":
            return self.blocks(section["content"])
        if kind == "mentions":
            return f"<h2>Mentioned in</h2>\n{self.list(section['mentions'])}"
        raise ValueError(f"unknown section {kind} in {self.symbol.path}")

    def declaration(self, tokens):
        parts = []
        for token in tokens:
            text = html.escape(token["text"])
            address = self.address(self.symbol.references.get(token.get("identifier"), {}))
            parts.append(f'<a href="{address}">{text}</a>' if address else text)
        return f"<pre><code>{''.join(parts)}</code></pre>"

    def blocks(self, blocks):
        return "\n".join(self.block(block) for block in blocks)

    def block(self, block):
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>"
        if kind == "heading":
            level, anchor = block["level"], html.escape(block["anchor"])
            return f'<h{level} id="{anchor}">{html.escape(block["text"])}</h{level}>'
        if kind == "codeListing":
            return f"<pre><code>{html.escape(chr(10).join(block['code']))}</code></pre>"
        if kind in ["unorderedList", "orderedList"]:
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(item['content'])}</li>" for item in block["items"])
            return f"<{tag}>{items}</{tag}>"
        if kind == "aside":
            name = html.escape(block.get("name") or block["style"].capitalize())
            return f"<aside><strong>{name}</strong>{self.blocks(block['content'])}</aside>"
        if kind == "table":
            rows = []
            for index, row in enumerate(block["rows"]):
                tag = "th" if index == 0 and block["header"] in ["row", "both"] else "td"
                rows.append("<tr>" + "".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in row) + "</tr>")
            return "<table>" + "".join(rows) + "</table>"
        raise ValueError(f"unknown block {kind} in {self.symbol.path}")

    def code(self, text):
        """Code, which is a link if it is the path of a document."""
        page = self.reference.documents.get(text)
        shown = f"<code>{html.escape(text)}</code>"
        return f'<a href="{self.relative(page)}">{shown}</a>' if page else shown

    def inline(self, content):
        parts = []
        for item in content:
            kind = item["type"]
            if kind == "text":
                # Messages of @available keep the escapes of their literals.
                parts.append(html.escape(item["text"].replace('\\"', '"')))
            elif kind == "codeVoice":
                parts.append(self.code(item["code"]))
            elif kind == "emphasis":
                parts.append(f"<em>{self.inline(item['inlineContent'])}</em>")
            elif kind in ["strong", "inlineHead"]:
                parts.append(f"<strong>{self.inline(item['inlineContent'])}</strong>")
            elif kind == "reference":
                parts.append(self.link(item["identifier"]))
            elif kind == "link":
                parts.append(f'<a href="{html.escape(item["destination"])}">{html.escape(item["title"])}</a>')
            else:
                raise ValueError(f"unknown content {kind} in {self.symbol.path}")
        return "".join(parts)
