#pragma once

#include <sqlite3.h>

// Swift calls no function with a variable number of arguments.
static inline int tubeline_sqlite3_disable_checkpoint_on_close(sqlite3 *handle) {
  return sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
