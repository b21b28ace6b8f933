// Records for tests: plain ones by hand, and tasks of any length.
#pragma once

#include "support/choices.h"

#include <belay/task/record.h>

#include <cstdint>
#include <string>
#include <vector>

namespace belay::check {

task::Record created_record(std::string task, std::int64_t time, std::string goal = "do it", std::string parent = {});
task::Record said_record(std::string task, std::uint64_t number, std::int64_t time, std::string text = "go on");
/// The model asks for one run of read_file.
task::Record turn_record(std::string task, std::uint64_t number, std::int64_t time);
task::Record finding_record(std::string task, std::uint64_t number, std::int64_t time, std::string text = "content");
task::Record child_record(std::string task, std::uint64_t number, std::int64_t time, std::string child);
task::Record outcome_record(std::string task, std::uint64_t number, std::int64_t time, std::vector<std::string> kinds,
                            task::Outcome::Became became, std::string model = "m", std::string tool = "read_file");
task::Record finished_record(std::string task, std::uint64_t number, std::int64_t time, task::EndReason reason);

/// A task of so many turns with four records each, one millisecond apart.
std::vector<task::Record> long_task(const std::string& task, std::uint64_t turns);

/// A task of so many records whose bodies are anything.
std::vector<task::Record> any_task(const std::string& task, std::uint64_t records, Choices& choices);

}  // namespace belay::check
