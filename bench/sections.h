// What is measured, one function a section. See docs/bench.md.
#pragma once

#include "harness.h"

namespace belay::bench {

struct Plan {
  bool quick = false;
  [[nodiscard]] Effort effort() const { return quick ? Effort{5e-4, 0.02, 2} : Effort{5e-4, 0.15, 5}; }
};

/// A document in one piece, beside the peers from Debian.
void measure_whole(const Plan&, Results&);
/// A document in pieces, the partial value read after each.
void measure_pieces(const Plan&, Results&);
/// The most heap in use, as a multiple of the document.
void measure_heap(const Plan&, Results&);
/// Damaged documents.
void measure_mending(const Plan&, Results&);
/// Twice the document, how many times the time?
void measure_growth(const Plan&, Results&);
/// Schemas of tools: compiling, and checking arguments.
void measure_schema(const Plan&, Results&);
/// Providers' streams, from bytes to events.
void measure_wires(const Plan&, Results&);
/// Calls in text, and prose that holds none.
void measure_texts(const Plan&, Results&);
/// What a call costs between its end and its run.
void measure_gate(const Plan&, Results&);
/// A turn of a task, and resuming a long one.
void measure_task(const Plan&, Results&);
/// Starting commands in cages.
void measure_sandbox(const Plan&, Results&);

}  // namespace belay::bench
