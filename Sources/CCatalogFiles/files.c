#include "shim.h"

// Every file of the catalogue's page and its OpenAPI document, read by the compiler, so that the executable runs from any folder.
// A file that is added needs two lines here, and a test says so when they are missing.

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "files/openapi.json"
};
static const unsigned char index_html[] = {
#embed "files/index.html"
};

#define FILE_ENTRY(name, bytes) {name, bytes, sizeof(bytes)}

static const struct tl_catalog_file files[] = {
    FILE_ENTRY("openapi.json", openapi_json),
    FILE_ENTRY("index.html", index_html),
};

const struct tl_catalog_file *const tl_catalog_files = files;
const size_t tl_catalog_files_count = sizeof(files) / sizeof(files[0]);
