#include "shim.h"

// Every file of the catalogue's page and its OpenAPI document, read by the compiler, so that the executable runs from any folder.
// A file that is added needs two entries here, and a test says so when they are missing.

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "files/openapi.json"
};
static const unsigned char add_channel_js[] = {
#embed "../Catalog/Web/add-channel.js"
};
static const unsigned char api_js[] = {
#embed "../Catalog/Web/api.js"
};
static const unsigned char app_js[] = {
#embed "../Catalog/Web/app.js"
};
static const unsigned char base_css[] = {
#embed "../Catalog/Web/base.css"
};
static const unsigned char cards_css[] = {
#embed "../Catalog/Web/cards.css"
};
static const unsigned char cards_js[] = {
#embed "../Catalog/Web/cards.js"
};
static const unsigned char channel_list_js[] = {
#embed "../Catalog/Web/channel-list.js"
};
static const unsigned char channel_view_js[] = {
#embed "../Catalog/Web/channel-view.js"
};
static const unsigned char channels_view_js[] = {
#embed "../Catalog/Web/channels-view.js"
};
static const unsigned char chart_js[] = {
#embed "../Catalog/Web/chart.js"
};
static const unsigned char choices_js[] = {
#embed "../Catalog/Web/choices.js"
};
static const unsigned char dom_js[] = {
#embed "../Catalog/Web/dom.js"
};
static const unsigned char events_js[] = {
#embed "../Catalog/Web/events.js"
};
static const unsigned char favicon_svg[] = {
#embed "../Catalog/Web/favicon.svg"
};
static const unsigned char feed_js[] = {
#embed "../Catalog/Web/feed.js"
};
static const unsigned char filters_js[] = {
#embed "../Catalog/Web/filters.js"
};
static const unsigned char flow_js[] = {
#embed "../Catalog/Web/flow.js"
};
static const unsigned char folded_js[] = {
#embed "../Catalog/Web/folded.js"
};
static const unsigned char format_js[] = {
#embed "../Catalog/Web/format.js"
};
static const unsigned char found_view_js[] = {
#embed "../Catalog/Web/found-view.js"
};
static const unsigned char happenings_js[] = {
#embed "../Catalog/Web/happenings.js"
};
static const unsigned char icons_js[] = {
#embed "../Catalog/Web/icons.js"
};
static const unsigned char index_html[] = {
#embed "../Catalog/Web/index.html"
};
static const unsigned char layout_css[] = {
#embed "../Catalog/Web/layout.css"
};
static const unsigned char likes_js[] = {
#embed "../Catalog/Web/likes.js"
};
static const unsigned char found_videos_js[] = {
#embed "../Catalog/Web/found-videos.js"
};
static const unsigned char media_js[] = {
#embed "../Catalog/Web/media.js"
};
static const unsigned char notes_js[] = {
#embed "../Catalog/Web/notes.js"
};
static const unsigned char pipeline_view_js[] = {
#embed "../Catalog/Web/pipeline-view.js"
};
static const unsigned char pipeline_css[] = {
#embed "../Catalog/Web/pipeline.css"
};
static const unsigned char player_js[] = {
#embed "../Catalog/Web/player.js"
};
static const unsigned char quota_js[] = {
#embed "../Catalog/Web/quota.js"
};
static const unsigned char request_card_js[] = {
#embed "../Catalog/Web/request-card.js"
};
static const unsigned char requests_js[] = {
#embed "../Catalog/Web/requests.js"
};
static const unsigned char router_js[] = {
#embed "../Catalog/Web/router.js"
};
static const unsigned char search_field_js[] = {
#embed "../Catalog/Web/search-field.js"
};
static const unsigned char session_js[] = {
#embed "../Catalog/Web/session.js"
};
static const unsigned char video_list_js[] = {
#embed "../Catalog/Web/video-list.js"
};
static const unsigned char videos_view_js[] = {
#embed "../Catalog/Web/videos-view.js"
};
static const unsigned char wait_words_js[] = {
#embed "../Catalog/Web/wait-words.js"
};
static const unsigned char watch_keys_js[] = {
#embed "../Catalog/Web/watch-keys.js"
};
static const unsigned char watch_view_js[] = {
#embed "../Catalog/Web/watch-view.js"
};
static const unsigned char watch_css[] = {
#embed "../Catalog/Web/watch.css"
};
static const unsigned char youtube_offer_js[] = {
#embed "../Catalog/Web/youtube-offer.js"
};

#define FILE_ENTRY(name, bytes) {name, bytes, sizeof(bytes)}

static const struct tl_catalog_file files[] = {
    FILE_ENTRY("openapi.json", openapi_json),
    FILE_ENTRY("add-channel.js", add_channel_js),
    FILE_ENTRY("api.js", api_js),
    FILE_ENTRY("app.js", app_js),
    FILE_ENTRY("base.css", base_css),
    FILE_ENTRY("cards.css", cards_css),
    FILE_ENTRY("cards.js", cards_js),
    FILE_ENTRY("channel-list.js", channel_list_js),
    FILE_ENTRY("channel-view.js", channel_view_js),
    FILE_ENTRY("channels-view.js", channels_view_js),
    FILE_ENTRY("chart.js", chart_js),
    FILE_ENTRY("choices.js", choices_js),
    FILE_ENTRY("dom.js", dom_js),
    FILE_ENTRY("events.js", events_js),
    FILE_ENTRY("favicon.svg", favicon_svg),
    FILE_ENTRY("feed.js", feed_js),
    FILE_ENTRY("filters.js", filters_js),
    FILE_ENTRY("flow.js", flow_js),
    FILE_ENTRY("folded.js", folded_js),
    FILE_ENTRY("format.js", format_js),
    FILE_ENTRY("found-view.js", found_view_js),
    FILE_ENTRY("happenings.js", happenings_js),
    FILE_ENTRY("icons.js", icons_js),
    FILE_ENTRY("index.html", index_html),
    FILE_ENTRY("layout.css", layout_css),
    FILE_ENTRY("likes.js", likes_js),
    FILE_ENTRY("found-videos.js", found_videos_js),
    FILE_ENTRY("media.js", media_js),
    FILE_ENTRY("notes.js", notes_js),
    FILE_ENTRY("pipeline-view.js", pipeline_view_js),
    FILE_ENTRY("pipeline.css", pipeline_css),
    FILE_ENTRY("player.js", player_js),
    FILE_ENTRY("quota.js", quota_js),
    FILE_ENTRY("request-card.js", request_card_js),
    FILE_ENTRY("requests.js", requests_js),
    FILE_ENTRY("router.js", router_js),
    FILE_ENTRY("search-field.js", search_field_js),
    FILE_ENTRY("session.js", session_js),
    FILE_ENTRY("video-list.js", video_list_js),
    FILE_ENTRY("videos-view.js", videos_view_js),
    FILE_ENTRY("wait-words.js", wait_words_js),
    FILE_ENTRY("watch-keys.js", watch_keys_js),
    FILE_ENTRY("watch-view.js", watch_view_js),
    FILE_ENTRY("watch.css", watch_css),
    FILE_ENTRY("youtube-offer.js", youtube_offer_js),
};

const struct tl_catalog_file *const tl_catalog_files = files;
const size_t tl_catalog_files_count = sizeof(files) / sizeof(files[0]);
