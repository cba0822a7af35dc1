"""A report in a notebook."""
import html


def frame(page: str) -> str:
    """The page as a part of another one: in a frame, so that neither changes the other's looks."""
    return ('<iframe srcdoc="%s" sandbox="allow-scripts" title="tilerace" style="width: 100%%; '
            'height: 32em; border: 0; resize: vertical; overflow: auto"></iframe>'
            % html.escape(page, quote=True))
