// Tool calls that models write as text: found as the text arrives, read, and told apart from prose. And written.
#pragma once

#include <belay/text/decoder.h>
#include <belay/text/dialect.h>
#include <belay/text/shape.h>
