"""The pages of the documents: each Markdown document becomes one, whose links lead to pages, or to
symbols of the API reference."""
import html
import pathlib
import re
import shutil
import sys

import markdown

import reference

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARTICLES = ROOT / "Sources/Varve/Documentation.docc/Articles"
# The pages beside the articles, by the titles of their groups.
GROUPS = {
    "Repository": [
        "Docs/Concurrency.md", "Docs/Pins.md", "Docs/Benchmarks.md", "Docs/Format.md",
        "Docs/JSON-Lines.md", "Docs/Architecture.md", "Docs/Map.md", "Docs/Decisions/*.md",
        "Docs/Examples/*/README.md", "Docs/Releasing.md", "CHANGELOG.md", "CONTRIBUTING.md",
        "SECURITY.md",
    ],
}


def slug(text, separator="-"):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


class Page:
    def __init__(self, source):
        self.source = source
        relative = source.relative_to(ROOT)
        if source.parent == ARTICLES:
            self.name = source.stem + ".html"
        elif relative.name == "README.md":
            parent = relative.parent.name
            self.name = f"{parent}.html" if parent else "README.html"
        elif relative == pathlib.Path("Docs/Site/index.md"):
            self.name = "index.html"
        elif relative.parent.name == "Decisions":
            self.name = "Decision-" + relative.stem + ".html"
        else:
            self.name = relative.stem + ".html"
        self.text = source.read_text(encoding="utf-8")
        heading = re.search(r"^# (.*)$", self.text, re.M)
        self.title = re.sub(r"[`\\]", "", heading.group(1))
        # Two documents have the name of the project as their titles.
        if self.name in ["index.html", "README.html"]:
            self.title = {"index.html": "Overview", "README.html": "Readme"}[self.name]


class Site:
    def __init__(self, output, archives):
        self.output = output
        self.missing = []
        self.pages = {}
        self.articles = {}
        first = [self.add(ROOT / name) for name in ["Docs/Site/index.md", "README.md"]]
        self.groups = [("Varve", first)]
        topics = (ARTICLES.parent / "Varve.md").read_text(encoding="utf-8")
        for heading, body in re.findall(r"^### (.*)\n((?:(?!^### ).*\n?)*)", topics, re.M):
            names = re.findall(r"^- <doc:(\w+)>", body, re.M)
            if names:
                self.groups.append((heading, [self.add(ARTICLES / f"{name}.md") for name in names]))
        realm = self.add(ROOT / "Docs/Coming-from-Realm.md")
        for heading, pages in self.groups:
            if heading.startswith("Coming"):
                pages.append(realm)
        for heading, patterns in GROUPS.items():
            sources = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
            self.groups.append((heading, [self.add(path) for path in sources]))
        missing = {path.stem for path in ARTICLES.glob("*.md")} - set(self.articles)
        if missing:
            sys.exit(f"Varve.md does not list {', '.join(sorted(missing))}")
        self.reference = reference.Reference(
            archives, {name.lower(): page.name for name, page in self.articles.items()},
            {str(path.relative_to(ROOT)): page.name for path, page in self.pages.items()})

    def add(self, source):
        page = Page(source)
        if any(page.name == other.name for other in self.pages.values()):
            sys.exit(f"Two documents have the name {page.name}")
        self.pages[source] = page
        if source.parent == ARTICLES:
            self.articles[source.stem] = page
        return page

    def markdown(self, page):
        """The text of a page in plain Markdown, with links to pages."""
        def symbol(match):
            path = match.group(1)
            shown = re.sub(r"-(\w{4,6}|\([^)]*\)|->\w+)$", "", path.split("->")[0])
            shown = re.sub(r"^(?:Realm|RealmCollection\w*|ObjectBase)/(?=[a-z])", "", shown).replace("/", ".")
            address = self.reference.page(path)
            return f"[`{shown}`]({address})" if address else f"`{shown}`"

        def article(match):
            name, _, anchor = match.group(1).partition("#")
            target = self.articles[name]
            title = anchor.replace("-", " ") if anchor else target.title
            return f"[{title}]({target.name}{'#' + anchor.lower() if anchor else ''})"

        def document(match):
            target = self.pages.get(ROOT / match.group(1))
            return f"[{target.title}]({target.name})" if target else match.group(0)

        def link(match):
            label, address = match.group(1), match.group(2)
            path, _, anchor = address.partition("#")
            # Addresses of the site were made from references to articles and symbols.
            if re.match(r"[a-z]+:|#", address) or path.endswith(".html"):
                return match.group(0)
            target = (page.source.parent / path).resolve()
            if target in self.pages:
                return f"[{label}]({self.pages[target].name}{'#' + anchor if anchor else ''})"
            if target.suffix == ".svg":
                (self.output / target.name).write_bytes(target.read_bytes())
                return f"[{label}]({target.name})"
            # A file of the repository that has no page.
            if not target.exists():
                self.missing.append(f"{page.name}: {address}")
            return label

        lines, is_code = [], False
        for line in page.text.splitlines():
            is_fence = line.lstrip().startswith("```")
            if is_fence:
                is_code = not is_code
            lines.append((line, is_code or is_fence))
        blocks, plain = [], []

        def flush():
            if plain:
                text = "\n".join(plain)
                text = re.sub(r"``([^`\n]+)``", symbol, text)
                text = re.sub(r"<doc:([\w#\-,?]+)>", article, text)
                text = re.sub(r"(?<!\[)`(Docs/[\w./-]+\.md)`(?: in the repository)?(?!\])", document, text)
                text = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", link, text)
                # GitHub begins a list after a line of a paragraph; Markdown needs an empty line.
                text = re.sub(r"(^(?![-|#\s]|\d+\.).+\n)(?=- |1\. )", r"\1\n", text, flags=re.M)
                blocks.append(text)
                plain.clear()

        for line, code in lines:
            if code:
                flush()
                blocks.append(line)
            else:
                plain.append(line)
        flush()
        return "\n".join(blocks)

    def navigation(self, current, top):
        parts = []
        for heading, pages in self.groups:
            parts.append(f"<h2>{html.escape(heading)}</h2>")
            for page in pages:
                parts.append(entry(top + page.name, page.title, page.name == current))
            if heading == "Varve":
                for module in self.reference.modules:
                    parts.append(entry(top + module.path, f"API of {module.title}", module.path == current))
        return "\n".join(parts)

    def frame(self, path, title, body):
        """A page at a path of the site."""
        top = "../" * path.count("/")
        return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="stylesheet" href="{top}style.css">
<nav>
{self.navigation(path, top)}
</nav>
<main>
{body}
</main>
</html>
"""

    def write(self):
        shutil.copy(pathlib.Path(__file__).parent / "style.css", self.output)
        for page in self.pages.values():
            body = markdown.markdown(
                self.markdown(page), output_format="html5", tab_length=2,
                extensions=["tables", "fenced_code", "toc"],
                extension_configs={"toc": {"slugify": slug}})
            (self.output / page.name).write_text(
                self.frame(page.name, page.title, body), encoding="utf-8")
        self.reference.write(self.output, self.frame)


def entry(address, title, is_current):
    mark = ' aria-current="page"' if is_current else ""
    return f'<a href="{address}"{mark}>{html.escape(title)}</a>'
