// json: values, the tolerant incremental reader, the writer. Start with json/reader.h.
#pragma once

#include <belay/json/builder.h>
#include <belay/json/edit.h>
#include <belay/json/locate.h>
#include <belay/json/partial.h>
#include <belay/json/reader.h>
#include <belay/json/series.h>
#include <belay/json/tape.h>
#include <belay/json/text_so_far.h>
#include <belay/json/value.h>
#include <belay/json/verdict.h>
#include <belay/json/writer.h>
