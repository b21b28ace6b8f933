// A keeper that runs, seen from Belay.
#pragma once

#include "sandbox/plan.h"

#include <expected>
#include <optional>
#include <string>

namespace BELAY_NAMESPACE::sandbox {

/// When it goes, the keeper has gone, and all that it kept.
class Running {
 public:
  /// Forks. Plan and Running belong together: the plan has to live longer.
  static std::expected<Running, std::string> start(Plan& plan);
  Running(Running&&) noexcept;
  Running& operator=(Running&&) = delete;
  ~Running();

  [[nodiscard]] int ended() const { return process_.get(); }  ///< readable when the keeper has ended
  [[nodiscard]] int reports() const { return plan_->control.get(); }
  /// The next thing that the keeper said, if it said something.
  [[nodiscard]] std::optional<Report> hear() const;
  /// Everything ends, with this much time between SIGTERM and SIGKILL.
  void end(double grace_seconds) const;
  /// SIGKILL for the keeper itself, when it does not do its work; only where all others go with it. A keeper without a
  /// namespace is never killed: that would set free what it keeps.
  void kill() const;

 private:
  Running(Plan& plan, Descriptor process) : plan_(&plan), process_(std::move(process)) {}
  Plan* plan_;
  Descriptor process_;
};

/// What a report of a failure says, as a sentence for a person.
std::string sentence(const Report& report);

/// Tries whether a keeper can build a cage of these orders, without running anything in it.
std::expected<void, std::string> trial(const Cage& cage);

}  // namespace BELAY_NAMESPACE::sandbox
