// What every Store promises, as tests. A backend includes this in one file and says how its places are made:
//   INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, testing::Values(Backend{...}));
#pragma once

#include "store_expect.h"

#include <belay/json.h>
#include <belay/store/store.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace belay::store {

/// An empty place for tasks; gone at the end. Each open() is another Store on the same place.
class Place {
 public:
  virtual ~Place() = default;
  virtual Expected<std::unique_ptr<Store>> open() = 0;
};

struct Backend {
  std::string name;
  std::function<std::unique_ptr<Place>()> make;
};
inline void PrintTo(const Backend& backend, std::ostream* out) { *out << backend.name; }

class StoreContract : public testing::TestWithParam<Backend> {
 protected:
  StoreContract() : place(GetParam().make()), store(opened()) {}

  [[nodiscard]] std::unique_ptr<Store> opened() const {
    auto made = place->open();
    EXPECT_FINE(made);
    return made ? std::move(*made) : nullptr;
  }
  void reopen() {
    store.reset();
    store = opened();
  }
  void put(const Records& records) const { ASSERT_FINE(store->append(records)); }
  [[nodiscard]] Records get(const std::string& task) const { return store->load(task).value_or(Records{}); }
  [[nodiscard]] std::vector<std::string> ids(const Listing& listing = {}) const {
    auto list = store->list(listing);
    EXPECT_FINE(list);
    std::vector<std::string> out;
    for (const Summary& s : *list) out.push_back(s.id);
    return out;
  }
  [[nodiscard]] Summary only() const {
    auto list = store->list({});
    EXPECT_FINE(list);
    EXPECT_EQ(list->size(), 1u);
    return list->empty() ? Summary{} : list->front();
  }
  // A root with a child and a grandchild.
  void put_family() const {
    put({created_record("root", 10), turn_record("root", 2, 11), child_record("root", 3, 12, "root.1"),
         created_record("root.1", 12, "a part", "root"), child_record("root.1", 2, 13, "far"),
         created_record("far", 13, "a smaller part", "root.1"), said_record("root", 4, 14)});
  }

  std::unique_ptr<Place> place;
  std::unique_ptr<Store> store;
};

// Adding and loading.

TEST_P(StoreContract, ATaskComesBackAsItWasWritten) {
  const Records records = {created_record("a", 5), turn_record("a", 2, 6), finding_record("a", 3, 7),
                           finished_record("a", 4, 8, task::EndReason::completed)};
  put({records[0]});
  put({records[1], records[2]});
  put({records[3]});
  EXPECT_EQ(get("a"), records);
  reopen();
  EXPECT_EQ(get("a"), records);
}

TEST_P(StoreContract, EveryKindOfRecordComesBack) {
  std::mt19937_64 random(7);
  std::string bytes(200'000, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  check::Choices choices(bytes);
  const Records records = check::any_task("a", 200, choices);
  ASSERT_FALSE(choices.used_up());
  put(records);
  reopen();
  EXPECT_EQ(get("a"), records);
}

TEST_P(StoreContract, NothingToAddIsFine) { EXPECT_FINE(store->append({})); }

TEST_P(StoreContract, ATaskThatIsNotThereIsNotFound) {
  EXPECT_TRUE(fails(store->load("a"), Kind::not_found, "'a'"));
  EXPECT_TRUE(fails(store->load_first("a"), Kind::not_found, "'a'"));
  EXPECT_TRUE(fails(store->load_tree("a"), Kind::not_found));
  EXPECT_TRUE(fails(store->export_json("a"), Kind::not_found));
  EXPECT_TRUE(fails(store->remove("a"), Kind::not_found));
  EXPECT_TRUE(fails(store->fork("a", 0, "b", 1), Kind::not_found));
  EXPECT_TRUE(fails(store->claim("a", {"me", 1}), Kind::not_found));
  EXPECT_TRUE(fails(store->list({10, false, "a"}), Kind::not_found));
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 2, 1)}), Kind::not_found));
}

TEST_P(StoreContract, ATaskBeginsWithCreatedAndOnlyBegins) {
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 1, 1)}), Kind::refused, "created"));
  put({created_record("a", 1)});
  task::Record again = created_record("a", 2);
  again.number = 2;
  EXPECT_TRUE(fails(store->append(Records{again}), Kind::refused, "created"));
  EXPECT_TRUE(fails(store->append(Records{created_record("a", 2)}), Kind::conflict));
  EXPECT_EQ(get("a").size(), 1u);
}

TEST_P(StoreContract, ANumberThatIsTakenIsAConflictAndAGapIsRefused) {
  put({created_record("a", 1), said_record("a", 2, 2)});
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 2, 3)}), Kind::conflict, "record 2 of task a"));
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 4, 3)}), Kind::refused, "3"));
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 0, 3)}), Kind::refused));
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 3, 3), said_record("a", 3, 4)}), Kind::conflict));
  EXPECT_EQ(get("a").size(), 2u);
  put({said_record("a", 3, 3)});
}

TEST_P(StoreContract, ABatchIsThereWholeOrNotAtAll) {
  put({created_record("a", 1), created_record("b", 1)});
  const Records batch = {said_record("a", 2, 2), said_record("b", 2, 2), created_record("c", 2),
                         said_record("a", 9, 2)};
  EXPECT_TRUE(fails(store->append(batch), Kind::refused));
  EXPECT_EQ(get("a").size(), 1u);
  EXPECT_EQ(get("b").size(), 1u);
  EXPECT_TRUE(fails(store->load("c"), Kind::not_found));
  const auto list = store->list({});
  ASSERT_FINE(list);
  for (const Summary& s : *list) EXPECT_EQ(s.records, 1u) << s.id;
}

TEST_P(StoreContract, AnIdIsVisibleAsciiOfSomeLength) {
  for (const std::string& id :
       Words{"", "a b", "a\n", "caf\xC3\xA9", std::string("a\0b", 3), std::string(kIdBytes + 1, 'x')})
    EXPECT_TRUE(fails(store->append(Records{created_record(id, 1)}), Kind::refused, "id")) << id;
  for (const std::string& id : Words{"a/../../b", "x'y\"z;--", "%_*?[", "..", std::string(kIdBytes, 'y'), "~!{}|"}) {
    put({created_record(id, 1)});
    EXPECT_EQ(get(id).size(), 1u);
    EXPECT_FINE(store->claim(id, {"me", 1}));
    EXPECT_EQ(store->find(id).value_or(""), id);
  }
}

TEST_P(StoreContract, AChildNeedsItsParent) {
  EXPECT_TRUE(fails(store->append(Records{created_record("b", 1, "x", "a")}), Kind::not_found, "child of a"));
  EXPECT_TRUE(fails(store->append(Records{created_record("b", 1, "x", "b")}), Kind::not_found));
  put({created_record("a", 1), created_record("b", 1, "x", "a")});
}

TEST_P(StoreContract, ATreeComesParentsFirst) {
  put_family();
  auto tree = store->load_tree("root");
  ASSERT_FINE(tree);
  Words order;
  for (const task::Record& r : *tree) order.push_back(r.task + "@" + std::to_string(r.number));
  EXPECT_EQ(order, (Words{"root@1", "root@2", "root@3", "root@4", "root.1@1", "root.1@2", "far@1"}));
  EXPECT_EQ(store->load_tree("root.1")->size(), 3u);
  EXPECT_EQ(get("root").size(), 4u);
  EXPECT_EQ(*store->load_first("root"), get("root").front());
  EXPECT_EQ(*store->load_first("far"), get("far").front());
}

TEST_P(StoreContract, TwoStoresSeeEachOthersRecordsAndCannotBothTakeANumber) {
  auto other = opened();
  put({created_record("a", 1)});
  EXPECT_EQ(other->load("a")->size(), 1u);
  EXPECT_FINE(other->append(Records{said_record("a", 2, 2, "theirs")}));
  EXPECT_TRUE(fails(store->append(Records{said_record("a", 2, 2, "ours")}), Kind::conflict, "load it again"));
  EXPECT_EQ(get("a").back(), said_record("a", 2, 2, "theirs"));
}

// Lists.

TEST_P(StoreContract, ASummarySaysWhatTheTaskIs) {
  put({created_record("a", 5, "\n  \tfirst line\x01 of it\r\nsecond"), turn_record("a", 2, 6), turn_record("a", 3, 9)});
  EXPECT_EQ(only(), (Summary{"a", "", "first line  of it", "m", 5, 9, 3, 2, ""}));
  put({finished_record("a", 4, 8, task::EndReason::turns)});
  EXPECT_EQ(only(),
            (Summary{"a", "", "first line  of it", "m", 5, 9, 4, 2, std::string(name(task::EndReason::turns))}));
  put({outcome_record("a", 5, 9, {"x"}, task::Outcome::Became::lost)});
  EXPECT_EQ(only().end, name(task::EndReason::turns));
  put({said_record("a", 6, 20)});
  EXPECT_EQ(only().end, "") << "a person's next message opens it again";
  EXPECT_EQ(only().changed, 20);
}

TEST_P(StoreContract, ATitleIsCutAtAWholeCharacter) {
  std::string goal;
  for (int i = 0; i < 100; ++i) goal += "\xE6\x97\xA5";
  put({created_record("a", 5, goal)});
  EXPECT_EQ(only().title, goal.substr(0, 120));
}

TEST_P(StoreContract, TheListHasTheNewestFirstInPages) {
  for (const auto& [id, time] :
       std::vector<std::pair<std::string, int>>{{"a", 3}, {"b", 1}, {"c", 2}, {"d", 2}, {"e", 9}})
    put({created_record(id, time)});
  EXPECT_EQ(ids(), (Words{"e", "a", "d", "c", "b"}));
  EXPECT_EQ(ids({2, false, ""}), (Words{"e", "a"}));
  EXPECT_EQ(ids({2, false, "a"}), (Words{"d", "c"}));
  EXPECT_EQ(ids({2, false, "c"}), (Words{"b"}));
  EXPECT_EQ(ids({2, false, "b"}), Words{});
  EXPECT_EQ(ids({0, false, ""}), Words{});
  EXPECT_EQ(ids({std::numeric_limits<std::uint64_t>::max(), false, ""}).size(), 5u);
  put({said_record("b", 2, 10)});
  EXPECT_EQ(ids().front(), "b");
}

TEST_P(StoreContract, ChildrenAreListedOnRequestAndMoveTheirRootUp) {
  put_family();
  put({created_record("later", 50)});
  EXPECT_EQ(ids(), (Words{"later", "root"}));
  EXPECT_EQ(ids({100, true, ""}), (Words{"later", "root", "root.1", "far"}));
  put({said_record("far", 2, 99)});
  EXPECT_EQ(ids(), (Words{"root", "later"}));
  EXPECT_EQ(ids({100, true, ""}), (Words{"root.1", "root", "far", "later"}));
}

TEST_P(StoreContract, ATaskIsFoundByTheBeginningOfItsId) {
  put_family();
  put({created_record("rook", 1), created_record("x%y", 1)});
  EXPECT_TRUE(fails(store->find("roo"), Kind::ambiguous, "rook, root"));
  EXPECT_EQ(store->find("root").value_or(""), "root") << "a whole id wins over longer ones";
  EXPECT_EQ(store->find("rook").value_or(""), "rook");
  EXPECT_EQ(store->find("root.").value_or(""), "root.1") << "children count when no root does";
  EXPECT_EQ(store->find("x").value_or(""), "x%y");
  EXPECT_TRUE(fails(store->find("%"), Kind::not_found));
  EXPECT_TRUE(fails(store->find("_"), Kind::not_found));
  EXPECT_TRUE(fails(store->find(""), Kind::refused));
  EXPECT_TRUE(fails(store->find("zzz"), Kind::not_found, "zzz"));
}

TEST_P(StoreContract, AnAmbiguousBeginningNamesAFewCandidates) {
  for (char c = 'a'; c < 'z'; ++c) put({created_record(std::string("t") + c, 1)});
  EXPECT_TRUE(fails(store->find("t"), Kind::ambiguous, "ta, tb, tc, td, te, ..."));
}

// Removing, forking, exporting, counting.

TEST_P(StoreContract, RemovingTakesTheChildrenAndNothingElse) {
  put_family();
  put({created_record("other", 1), outcome_record("root", 5, 20, {"x"}, task::Outcome::Became::lost)});
  EXPECT_TRUE(fails(store->remove("root.1"), Kind::refused, "root"));
  ASSERT_FINE(store->remove("root"));
  EXPECT_EQ(ids({100, true, ""}), (Words{"other"}));
  for (const char* id : {"root", "root.1", "far"}) EXPECT_TRUE(fails(store->load(id), Kind::not_found));
  EXPECT_TRUE(store->outcomes(0)->empty());
  EXPECT_FINE(store->append(Records{created_record("root", 1)})) << "the id is free again";
}

TEST_P(StoreContract, AForkHasTheRecordsUpToANumberAndSaysWhereItCameFrom) {
  put({created_record("a", 1, "goal"), turn_record("a", 2, 2), finding_record("a", 3, 3), said_record("a", 4, 4),
       finished_record("a", 5, 5, task::EndReason::completed)});
  ASSERT_FINE(store->fork("a", 3, "b", 1000));
  const Records original = get("a"), fork = get("b");
  ASSERT_EQ(original.size(), 5u);
  ASSERT_EQ(fork.size(), 3u);
  auto expected = std::get<task::Created>(original[0].body);
  expected.forked_from = "a@3";
  EXPECT_EQ(fork[0], (task::Record{"b", 1, 1, expected}));
  EXPECT_EQ(fork[1].body, original[1].body);
  EXPECT_EQ(fork[2].time, 3);
  EXPECT_EQ(store->list({})->front(), (Summary{"b", "", "goal", "m", 1000, 1000, 3, 1, ""}));
  put({said_record("b", 4, 1001)});
  ASSERT_FINE(store->fork("a", 0, "c", 1000));
  EXPECT_EQ(get("c").size(), 5u);
  EXPECT_EQ(std::get<task::Created>(get("c")[0].body).forked_from, "a@5");
  EXPECT_EQ(get("a"), original);
}

TEST_P(StoreContract, AForkTakesTheChildrenThatItsRecordsNameUnderNewIds) {
  put_family();
  ASSERT_FINE(store->fork("root", 3, "new", 100));
  auto tree = store->load_tree("new");
  ASSERT_FINE(tree);
  Words tasks;
  for (const task::Record& r : *tree) {
    if (const auto* started = std::get_if<task::ChildStarted>(&r.body))
      tasks.push_back(r.task + " -> " + started->child);
    if (const auto* created = std::get_if<task::Created>(&r.body))
      tasks.push_back(r.task + " < " + created->parent + " from " + created->forked_from);
  }
  ASSERT_EQ(tasks.size(), 5u);
  const std::string far = std::get<task::ChildStarted>((*tree)[4].body).child;
  EXPECT_TRUE(far.starts_with("new")) << far;
  EXPECT_EQ(tasks, (Words{"new <  from root@3", "new -> new.1", "new.1 < new from root.1@2", "new.1 -> " + far,
                          far + " < new.1 from far@1"}));
  EXPECT_EQ(store->load_tree("root")->size(), 7u) << "the original stays";
  ASSERT_FINE(store->fork("root", 2, "early", 100));
  EXPECT_EQ(store->load_tree("early")->size(), 2u) << "no record names a child yet";
}

TEST_P(StoreContract, TheForkOfAChildStandsAlone) {
  put_family();
  ASSERT_FINE(store->fork("root.1", 0, "alone", 100));
  const Records records = *store->load_tree("alone");
  ASSERT_EQ(records.size(), 3u);
  const auto& created = std::get<task::Created>(records[0].body);
  EXPECT_EQ(created.parent, "");
  EXPECT_EQ(created.parent_call, "");
  EXPECT_EQ(created.depth, 0u);
  EXPECT_EQ(std::get<task::Created>(records[2].body).parent, "alone");
  EXPECT_EQ(ids().front(), "alone");
}

TEST_P(StoreContract, AForkThatCannotBeIsRefusedAndLeavesNothing) {
  put_family();
  put({created_record("taken", 1), created_record("x.1", 1)});
  EXPECT_TRUE(fails(store->fork("root", 0, "taken", 1), Kind::conflict, "taken"));
  EXPECT_TRUE(fails(store->fork("root", 0, "x", 1), Kind::conflict, "x.1")) << "the id of a child is taken";
  EXPECT_TRUE(fails(store->load("x"), Kind::not_found));
  EXPECT_TRUE(fails(store->fork("root", 5, "y", 1), Kind::refused, "4 records"));
  EXPECT_TRUE(fails(store->fork("root", 0, "", 1), Kind::refused));
  EXPECT_TRUE(fails(store->fork("root", 0, "a b", 1), Kind::refused));
  EXPECT_EQ(ids({100, true, ""}).size(), 5u);
}

TEST_P(StoreContract, AnExportIsOneJsonObjectWithEveryRecord) {
  put_family();
  put({said_record("root", 5, 20, "quotes \" and \n lines")});
  auto text = store->export_json("root");
  ASSERT_FINE(text);
  json::ReaderOptions strict;
  strict.mode = json::Mode::strict;
  const json::Reading reading = json::read(*text, strict);
  ASSERT_EQ(reading.verdict.word(), json::Word::valid) << *text;
  const json::Value top = reading.document.root();
  EXPECT_EQ(top.find("belay")->as_int64(), 1);
  const json::Value tasks = *top.find("tasks");
  ASSERT_EQ(tasks.size(), 3u);
  Records again;
  for (const json::Value task : tasks.items())
    for (const json::Value record : task.find("records")->items()) {
      std::string body = "{";
      for (const auto& [key, value] : record.members()) {
        if (key == "number" || key == "time") continue;
        if (body.size() > 1) body += ",";
        json::write_string(key, body);
        body += ":" + json::to_string(value);
      }
      again.push_back({std::string(task.find("id")->as_string()), *record.find("number")->as_uint64(),
                       *record.find("time")->as_int64(), *task::body_from_json(body + "}")});
    }
  EXPECT_EQ(again, *store->load_tree("root"));
}

TEST_P(StoreContract, OutcomesAreCountedByWhatTheyAre) {
  using Became = task::Outcome::Became;
  put({created_record("a", 1), created_record("b", 1)});
  put({outcome_record("a", 2, 10, {"trailing_comma", "fence"}, Became::mended),
       outcome_record("a", 3, 20, {"trailing_comma", "trailing_comma"}, Became::mended),
       outcome_record("b", 2, 30, {"trailing_comma"}, Became::lost, "n"),
       outcome_record("b", 3, 30, {}, Became::re_asked)});
  const std::vector<OutcomeCount> all = {{"m", "read_file", "fence", "mended", 1},
                                         {"m", "read_file", "trailing_comma", "mended", 2},
                                         {"m", "read_file", "truncated", "re_asked", 1},
                                         {"n", "read_file", "trailing_comma", "lost", 1}};
  EXPECT_EQ(*store->outcomes(0), all);
  EXPECT_EQ(*store->outcomes(10), all);
  EXPECT_EQ(store->outcomes(21)->size(), 2u);
  ASSERT_FINE(store->fork("a", 0, "c", 99));
  EXPECT_EQ(*store->outcomes(0), all) << "a fork does not count again";
  reopen();
  EXPECT_EQ(*store->outcomes(0), all);
}

TEST_P(StoreContract, OutcomesOverTimeCountOnceHoweverManyKindsTheyHave) {
  using Became = task::Outcome::Became;
  constexpr std::int64_t kDay = 86'400'000, kHour = kDay / 24;
  EXPECT_TRUE(store->outcomes_by_day(0, 0)->empty());
  put({created_record("a", 1), created_record("b", 1)});
  put({outcome_record("a", 2, 0, {"trailing_comma", "fence"}, Became::mended),
       outcome_record("a", 3, kDay - 1, {"trailing_comma"}, Became::mended),
       outcome_record("b", 2, kDay, {"trailing_comma"}, Became::lost, "n"),
       outcome_record("b", 3, 20'000 * kDay, {}, Became::re_asked)});
  const std::vector<OutcomeDay> all = {
      {0, "m", "read_file", "mended", 2}, {1, "n", "read_file", "lost", 1}, {20'000, "m", "read_file", "re_asked", 1}};
  EXPECT_EQ(*store->outcomes_by_day(0, 0), all);
  EXPECT_EQ(store->outcomes_by_day(kDay, 0)->size(), 2u);
  EXPECT_EQ(store->outcomes_by_day(20'000 * kDay + 1, 0)->size(), 0u);
  const std::vector<OutcomeDay> east = {{0, "m", "read_file", "mended", 1},
                                        {1, "m", "read_file", "mended", 1},
                                        {1, "n", "read_file", "lost", 1},
                                        {20'000, "m", "read_file", "re_asked", 1}};
  EXPECT_EQ(*store->outcomes_by_day(0, kHour), east);
  const std::vector<OutcomeDay> west = {{-1, "m", "read_file", "mended", 1},
                                        {0, "m", "read_file", "mended", 1},
                                        {0, "n", "read_file", "lost", 1},
                                        {19'999, "m", "read_file", "re_asked", 1}};
  EXPECT_EQ(*store->outcomes_by_day(0, -kHour), west);
  ASSERT_FINE(store->fork("a", 0, "c", 99));
  EXPECT_EQ(*store->outcomes_by_day(0, 0), all) << "a fork does not count again";
}

// Claims.

TEST_P(StoreContract, AClaimKeepsOthersOutUntilItGoes) {
  put({created_record("a", 1), created_record("b", 1)});
  auto other = opened();
  auto mine = store->claim("a", {"worker-7", ::getpid()});
  ASSERT_FINE(mine);
  EXPECT_TRUE(fails(other->claim("a", {"x", 1}), Kind::claimed, "worker-7"));
  EXPECT_TRUE(fails(other->claim("a", {"x", 1}), Kind::claimed, "task a"));
  EXPECT_TRUE(fails(store->claim("a", {"x", 1}), Kind::claimed)) << "within one Store too";
  EXPECT_FINE(other->claim("b", {"x", 1}));
  mine->reset();
  EXPECT_FINE(other->claim("a", {"x", 1}));
  EXPECT_FINE(store->claim("a", {"x", 1})) << "the other one is gone again";
}

TEST_P(StoreContract, AClaimOutlivesItsStore) {
  put({created_record("a", 1)});
  auto mine = store->claim("a", {"me", 1});
  reopen();
  EXPECT_TRUE(fails(store->claim("a", {"x", 1}), Kind::claimed));
}

TEST_P(StoreContract, ChildrenAreCoveredByTheClaimOfTheirRoot) {
  put_family();
  {
    auto mine = store->claim("root", {"me", 1});
    EXPECT_TRUE(fails(store->claim("far", {"x", 1}), Kind::claimed, "root"));
  }
  auto far = store->claim("far", {"me", 1});
  ASSERT_FINE(far);
  EXPECT_TRUE(fails(store->claim("root", {"x", 1}), Kind::claimed));
  EXPECT_TRUE(fails(store->claim("root.1", {"x", 1}), Kind::claimed));
}

TEST_P(StoreContract, WhatSomebodyRunsIsNotRemoved) {
  put_family();
  auto other = opened();
  auto mine = store->claim("root", {"me", 1});
  EXPECT_TRUE(fails(other->remove("root"), Kind::claimed, "me"));
  EXPECT_TRUE(fails(store->remove("root"), Kind::claimed));
  EXPECT_EQ(get("root").size(), 4u);
  mine->reset();
  EXPECT_FINE(other->remove("root"));
}

TEST_P(StoreContract, WhoeverHasNoClaimMayStillReadListAndFork) {
  put_family();
  auto mine = store->claim("root", {"me", 1});
  auto other = opened();
  EXPECT_FINE(other->load_tree("root"));
  EXPECT_FINE(other->export_json("root"));
  EXPECT_FINE(other->fork("root", 0, "fork", 1));
  EXPECT_FINE(other->claim("fork", {"x", 1}));
}

}  // namespace belay::store
