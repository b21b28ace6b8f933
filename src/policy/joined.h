// Why a command that is joined of several is asked about, where rules allow some of them.
#pragma once

#include "policy/rule_match.h"

#include <string>

namespace BELAY_NAMESPACE::policy {

/// `reason`, or a better one: what no rule allows is named, rather than a part that one allows. It changes no decision.
std::string blamed_part(const Permissions& permissions, const tool::Spec& spec, const Subject& about,
                        std::string reason);

}  // namespace BELAY_NAMESPACE::policy
