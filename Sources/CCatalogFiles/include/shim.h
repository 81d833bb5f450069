#pragma once

#include <stddef.h>

/// A file that lies inside the executable.
struct tl_catalog_file {
  /// Such as `index.html`; what its ending says is its type.
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// All files, and how many there are.
extern const struct tl_catalog_file *const tl_catalog_files;
extern const size_t tl_catalog_files_count;
