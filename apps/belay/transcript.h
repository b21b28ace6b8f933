// A task's records as something to read.
#pragma once

#include <belay/task/record.h>

#include "terminal.h"

#include <span>
#include <string>

namespace belay::cli {

struct TranscriptOptions {
  bool full = false;       ///< nothing is shortened
  std::size_t width = 80;  ///< columns of a line
};

/// The goal, texts, calls, results, receipts and the end, in their order, in lines that fit. Nothing in it steers a
/// terminal.
std::string transcript(std::span<const task::Record> records, const TranscriptOptions& options, const Style& style);

}  // namespace belay::cli
