"""What all parts of the double need."""

import datetime

from records import moment

__all__ = ["STAGES", "Refusal", "moment", "now"]

STAGES = ["search", "channels", "playlists", "videos"]


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class Refusal(Exception):
    def __init__(self, status, code, detail, field=None):
        self.status = status
        self.problem = {
            "type": "about:blank",
            "title": code,
            "status": status,
            "detail": detail,
            "code": code,
            **({"field": field} if field else {}),
        }
