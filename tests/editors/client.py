"""A client of `tilerace lsp` for tests: pygls, whose lsprotocol refuses messages that are not LSP's."""

import asyncio
import pathlib
import tempfile
import unittest

from lsprotocol import types
from pygls.lsp.client import LanguageClient

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60  # seconds; machines that run all tests at once are slow


def at(line, character):
    return types.Position(line, character)


def span(line, start, end, last=None):
    return types.Range(at(line, start), at(line if last is None else last, end))


class Session:
    """One server and its client; documents by the names of their files in a folder."""

    def __init__(self, program, folder, *arguments, encodings=None, roots=None, env=None):
        self.command = [program, "lsp", *arguments]
        self.folder, self.encodings, self.env = pathlib.Path(folder), encodings, env
        self.roots = [self.folder] if roots is None else roots
        self.published, self.shown, self.logged = {}, [], []
        self.news = asyncio.Event()
        self.versions = {}
        self.client = LanguageClient("tests", "1")
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda p: self._publish(p))
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda p: self.shown.append(p.message))
        self.client.feature(types.WINDOW_LOG_MESSAGE)(lambda p: self.logged.append(p.message))
        self.client.feature(types.CLIENT_REGISTER_CAPABILITY)(lambda p: None)

    def _publish(self, params):
        self.published.setdefault(params.uri, []).append(params)
        self.news.set()

    async def __aenter__(self):
        await self.client.start_io(*self.command, env=self.env)
        self.process = self.client._server
        general = types.GeneralClientCapabilities(position_encodings=self.encodings)
        folders = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in self.roots]
        self.initialized = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(general=general),
                workspace_folders=folders,
                process_id=None,
            )
        )
        self.client.initialized(types.InitializedParams())
        return self

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
            self.client.exit(None)
            code = await asyncio.wait_for(self.process.wait(), PATIENCE)
            assert code == 0, code
        await self.client.stop()

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text, language="c"):
        self.versions[name] = 1
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, name, *edits):
        """Each edit is a range and its text, or the whole text; returns the new version."""
        self.versions[name] += 1
        changes = [
            types.TextDocumentContentChangeWholeDocument(edit)
            if isinstance(edit, str)
            else types.TextDocumentContentChangePartial(edit[0], edit[1])
            for edit in edits
        ]
        document = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))
        return self.versions[name]

    def save(self, name):
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    def close(self, name):
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    async def until(self, holds, what):
        async def wait():
            while not holds():
                self.news.clear()
                await asyncio.wait_for(self.news.wait(), PATIENCE)

        try:
            await asyncio.wait_for(wait(), PATIENCE)
        except asyncio.TimeoutError:
            raise AssertionError(f"{what}: {self.published} {self.shown} {self.logged}") from None

    async def diagnostics(self, name, version=None, count=None):
        """Those of that version, else of the newest one; from the count-th publication on."""
        uri, version = self.uri(name), version or self.versions[name]

        def there():
            return [p for p in self.published.get(uri, []) if p.version == version]

        await self.until(lambda: len(there()) >= (count or 1), f"nothing comes of {name}")
        return list(there()[-1].diagnostics)

    async def hover(self, name, line, character):
        document = types.TextDocumentIdentifier(self.uri(name))
        found = await self.client.text_document_hover_async(
            types.HoverParams(document, at(line, character))
        )
        return found and found.contents.value

    async def actions(self, name, where, only=None):
        document = types.TextDocumentIdentifier(self.uri(name))
        context = types.CodeActionContext(diagnostics=[], only=only)
        actions = await self.client.text_document_code_action_async(
            types.CodeActionParams(document, where, context)
        )
        return list(actions)


class Case(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # it would tell of every slow step

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name).resolve()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


def place(text, mark):
    """Line and character of the first character of `mark`, which stands once in the text."""
    before = text[: text.index(mark)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1
