// The Store on SQLite. Its calls stand in files of their own: append, read, list, change, export.
#pragma once

#include "store/claims.h"
#include "store/database.h"
#include "store/row.h"

#include <belay/store/sqlite.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace BELAY_NAMESPACE::store {

struct Forking;
class NewIds;

class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<Database> database, const SqliteOptions& options);

  Expected<void> append(std::span<const task::Record> records) override;
  Expected<std::vector<task::Record>> load(std::string_view task) override;
  Expected<task::Record> load_first(std::string_view task) override;
  Expected<std::vector<task::Record>> load_tree(std::string_view task) override;
  Expected<std::unique_ptr<Claim>> claim(std::string_view task, const Owner& owner) override;
  Expected<std::vector<Summary>> list(const Listing& listing) override;
  Expected<std::string> find(std::string_view prefix) override;
  Expected<void> remove(std::string_view task) override;
  Expected<void> fork(std::string_view task, std::uint64_t number, std::string_view id, std::int64_t now) override;
  Expected<std::string> export_json(std::string_view task) override;
  Expected<std::vector<OutcomeCount>> outcomes(std::int64_t since) override;
  Expected<std::vector<OutcomeDay>> outcomes_by_day(std::int64_t since, std::int64_t zone) override;

 private:
  // All of these are called within a transaction.
  Expected<std::optional<Summary>> summary(std::string_view task);
  Expected<Summary> known(std::string_view task);  // not_found when there is none
  Expected<std::string> root_of(std::string_view task);
  Expected<std::vector<std::string>> children(std::string_view task);
  Expected<std::vector<std::string>> family(std::string_view task);  // with all below it, parents first
  Expected<void> each_row(std::string_view task, std::uint64_t upto,
                          const std::function<Expected<void>(const Row&)>& take);
  Expected<std::vector<Row>> rows(std::string_view task, std::uint64_t upto);
  Expected<void> add_records(std::string_view task, std::vector<task::Record>& out);

  Expected<void> insert(const Summary& summary);
  Expected<void> insert(const Row& row);
  Expected<void> update(const Summary& summary);
  Expected<void> count(const task::Record& record, const task::Outcome& outcome);
  Expected<void> touch_ancestors(std::string_view task, std::int64_t time);

  Expected<void> append_rows(std::span<const task::Record> records, const std::vector<Row>& rows);
  Expected<void> copy_task(const std::vector<Row>& originals, const Forking& forking, NewIds& ids, std::int64_t now);
  Expected<void> erase(const std::vector<std::string>& family);
  Expected<Transaction> begin_writing();

  std::unique_ptr<Database> database_;
  Claims claims_;
  SqliteOptions options_;
};

}  // namespace BELAY_NAMESPACE::store
