/* The C API of DuckDB and that of utfall. */

#ifndef UTFALL_DUCKDB_API_H
#define UTFALL_DUCKDB_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <utfall.h>

#include "duckdb_extension.h"

DUCKDB_EXTENSION_EXTERN

#endif
