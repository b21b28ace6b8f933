// The help texts, as plain text of 80 columns.
#pragma once

#include <string_view>

namespace belay::cli {

extern const std::string_view kOverview;
extern const std::string_view kRepairHelp;
extern const std::string_view kParseHelp;
extern const std::string_view kSchemaHelp;
extern const std::string_view kPolicyHelp;
extern const std::string_view kToolHelp;
extern const std::string_view kToolsHelp;
extern const std::string_view kDoctorHelp;
extern const std::string_view kConfigHelp;
extern const std::string_view kTasksHelp;
extern const std::string_view kStatsHelp;
extern const std::string_view kCompletionHelp;
extern const std::string_view kDemoHelp;
extern const std::string_view kRunHelp;
extern const std::string_view kReplayHelp;

}  // namespace belay::cli
