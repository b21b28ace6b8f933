// JSON Schema: compiled once, checked fast, and used to understand what the model meant.
#pragma once

#include <belay/schema/align.h>
#include <belay/schema/regex.h>
#include <belay/schema/schema.h>
