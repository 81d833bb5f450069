"""Generated channels and videos for the double of the catalogue's API: plain ones, and hostile ones."""

import datetime
import hashlib
import random

NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)

HOSTILE = {
    "script": "<script>window.hacked = 'script'</script>",
    "image": '"><img src=x onerror="window.hacked = \'image\'">',
    "svg": "<svg/onload=window.hacked=1>' onmouseover='window.hacked=2",
    "template": "${window.hacked=3}{{constructor.constructor('window.hacked=4')()}}",
    "rightToLeft": "مرحبا بالعالم: كيف تعمل محركات البحث؟ שלום עולם",
    "override": "\u202egnp.exe\u202c looks harmless \u2066isolated\u2069 \u200f\u200e",
    "long": "Word after word " * 312 + "end of it",
    "longWord": "W" * 5000,
    "emoji": "🎉🚀👩‍👩‍👧‍👦🏳️‍🌈✨🇨🇭👍🏽",
    "combining": "Z̸̢͍̓a̷͇͊l̵͓̈́g̸͎̈́o̶͇͐" * 20,
    "newlines": "one\ntwo\r\nthree\tfour\u0000five\u2028six",
    "empty": "   ",
    "script-url": "javascript:window.hacked='title'",
}
HOSTILE_PICTURES = [
    "javascript:window.hacked='picture'",
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.hacked=5'/>",
    "https://evil.example/picture.jpg",
    "http://i.ytimg.com/vi/x/mqdefault.jpg",
    "https://i.ytimg.com.evil.example/vi/x/mqdefault.jpg",
    "https://user:secret@i.ytimg.com/vi/x/mqdefault.jpg",
    "//evil.example/x.png",
    "https://i.ytimg.com:8443/x.png",
]
SUBJECTS = [
    "Inside the data centre",
    "How search works",
    "A year in review",
    "Building for everyone",
    "The making of Pixel",
    "Live from the keynote",
    "Cloud in five minutes",
    "Quantum computers explained",
    "Maps, from above",
    "Teachers on teaching",
    "Android at ten",
    "Accessibility stories",
    "From the lab: small models",
    "Behind the doodle",
    "Security, one key at a time",
    "Open source on Mondays",
]
ENDINGS = [
    "",
    " | Episode {n}",
    ": what we learned",
    " — full talk",
    " (with captions)",
    ": part {n}",
    " in 2 minutes",
    ", explained by engineers",
]
CHANNELS = [
    (
        "Google",
        "@Google",
        "Experience the world of Google on our official YouTube channel. "
        "Watch videos about our products, technology and company happenings.",
    ),
    (
        "Apple",
        "@Apple",
        "Welcome to the official Apple YouTube channel. "
        "Here you’ll find news about product launches, tutorials, and other great content.",
    ),
    ("Microsoft", "@Microsoft", "Our mission is to empower every person and every organization on the planet to achieve more."),
    (
        "NASA",
        "@NASA",
        "NASA’s mission is to explore the unknown in air and space, to innovate for the benefit of humanity, and to inspire the world.",
    ),
    ("Swift Language", "@swiftlang", "Talks and news about the Swift programming language."),
    ("Das Erste", "@daserste", "Nachrichten, Filme und Dokumentationen."),
    ("قناة العلوم", "@aloloum", "قناة تعليمية تشرح العلوم ببساطة للجميع، من الفيزياء إلى علم الأحياء."),
    ("Ελληνικά τρένα", "@trena", "Τα τρένα της Ελλάδας, κάθε εβδομάδα από άλλη γραμμή."),
]


def moment(at):
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def identifier(text, length):
    digest = hashlib.sha256(text.encode()).hexdigest()
    return digest[:length]


def channel_id(name):
    return "UC" + identifier(name, 22)


def channel(name, handle, description, **more):
    seed = random.Random(name)
    return {
        "id": channel_id(handle or name),
        "title": name,
        "customUrl": handle,
        "description": description,
        "country": "US",
        "thumbnail": {"url": f"https://yt3.ggpht.com/{identifier(name, 40)}=s88", "width": 88, "height": 88},
        "publishedAt": moment(NOW - datetime.timedelta(days=seed.randrange(2000, 6000))),
        "videoCount": seed.randrange(40, 3000),
        "subscriberCount": seed.randrange(10_000, 12_000_000),
        "viewCount": seed.randrange(1_000_000, 4_000_000_000),
        "fetchedAt": moment(NOW),
        **more,
    }


def video(owner, number, total):
    seed = random.Random(f"{owner['id']}/{number}")
    title = seed.choice(SUBJECTS) + seed.choice(ENDINGS).format(n=total - number)
    key = identifier(f"{owner['id']}/{number}", 11)
    published = NOW - datetime.timedelta(days=number * 3.1 + seed.random(), hours=seed.randrange(24))
    record = {
        "id": key,
        "title": title,
        "channelId": owner["id"],
        "channelTitle": owner["title"],
        "publishedAt": moment(published),
        "addedAt": moment(published),
        "durationSeconds": seed.choice([35, 58, 94, 212, 305, 611, 1260, 3720]) + seed.randrange(50),
        "viewCount": int(10 ** seed.uniform(1.5, 7.5)),
        "likeCount": seed.randrange(10, 90_000),
        "commentCount": seed.randrange(5_000),
        "availability": "public",
        "embeddable": True,
        "liveBroadcastContent": "none",
        "thumbnail": {"url": f"https://i.ytimg.com/vi/{key}/mqdefault.jpg", "width": 320, "height": 180},
        "description": f"{title}.\n\nIn this video we look at it from close by.\nhttps://example.com/{key}\n\n"
        + "More words about it. " * seed.randrange(30),
        "definition": "hd",
        "captions": seed.random() < 0.4,
        "tags": ["technology", "google", "how to"],
        "defaultAudioLanguage": "en",
        "source": "uploads",
        "playlistId": "UU" + owner["id"][2:],
        "position": number,
        "requestId": "seeded",
        "fetchedAt": moment(NOW),
    }
    if number % 53 == 17:
        record.update(availability="private")
    if number % 53 == 31:
        record.update(availability="deleted")
    if record["availability"] != "public":
        for name in [
            "title",
            "description",
            "durationSeconds",
            "viewCount",
            "likeCount",
            "commentCount",
            "thumbnail",
            "embeddable",
            "tags",
        ]:
            record.pop(name)
    elif number % 41 == 7:
        record.update(embeddable=False)
    return record


def videos(owner, total):
    return [video(owner, number, total) for number in range(total)]


def hostile():
    """A channel whose every text means harm, and its videos."""
    owner = channel(HOSTILE["image"], "@<b>hostile</b>", HOSTILE["script"] + HOSTILE["longWord"], thumbnail={"url": HOSTILE_PICTURES[0]})
    result = []
    for number, (name, title) in enumerate(HOSTILE.items()):
        record = video(owner, number, 1)
        record.update(
            id="hostile-" + name,
            title=title,
            channelTitle=owner["title"],
            description=title * 3,
            tags=[title, title[:80]],
            availability="public",
            embeddable=True,
            durationSeconds=99_999_999 if number == 2 else 60,
            viewCount=10**15,
            thumbnail={"url": HOSTILE_PICTURES[number % len(HOSTILE_PICTURES)]},
        )
        result.append(record)
    return owner, result
