// Dates, times and durations: RFC 3339, which is narrower than ISO 8601.
#include "schema/chars.h"
#include "schema/format_checks.h"

#include <cstddef>

namespace BELAY_NAMESPACE::schema {
namespace {

// Takes exactly `digits` digits and gives their value, or -1.
int take_number(std::string_view& s, std::size_t digits) {
  if (s.size() < digits) return -1;
  int value = 0;
  for (char c : s.substr(0, digits)) {
    if (!is_digit(c)) return -1;
    value = value * 10 + (c - '0');
  }
  s.remove_prefix(digits);
  return value;
}

bool take(std::string_view& s, char c) {
  if (!s.starts_with(c)) return false;
  s.remove_prefix(1);
  return true;
}

int days_in(int year, int month) {
  if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool take_date(std::string_view& s) {
  const int year = take_number(s, 4);
  if (year < 0 || !take(s, '-')) return false;
  const int month = take_number(s, 2);
  if (month < 1 || month > 12 || !take(s, '-')) return false;
  const int day = take_number(s, 2);
  return day >= 1 && day <= days_in(year, month);
}

// Two numbers as in 23:59, in minutes, or -1.
int take_hour_and_minute(std::string_view& s) {
  const int hour = take_number(s, 2);
  if (hour < 0 || hour > 23 || !take(s, ':')) return -1;
  const int minute = take_number(s, 2);
  return minute < 0 || minute > 59 ? -1 : hour * 60 + minute;
}

bool take_time(std::string_view& s) {
  constexpr int kDay = 24 * 60;
  int minutes = take_hour_and_minute(s);
  if (minutes < 0 || !take(s, ':')) return false;
  const int second = take_number(s, 2);
  if (second < 0 || second > 60) return false;
  if (take(s, '.')) {
    const std::size_t digits = count_digits(s);
    if (digits == 0) return false;
    s.remove_prefix(digits);
  }
  if (!take(s, 'Z') && !take(s, 'z')) {
    const bool ahead = take(s, '+');
    if (!ahead && !take(s, '-')) return false;
    const int offset = take_hour_and_minute(s);
    if (offset < 0) return false;
    minutes += ahead ? -offset : offset;
  }
  // A leap second is the last one of a day in UTC, wherever the clock stands.
  return second < 60 || (minutes + kDay) % kDay == kDay - 1;
}

// Numbers with these units, each at most once and in this order. Where a unit follows another one, none between them
// may be left out (RFC 3339, appendix A): P1Y1D is not a duration. Gives how many there were; stops at what is none.
int take_units(std::string_view& s, std::string_view units) {
  int count = 0;
  for (std::size_t at = 0; at < units.size(); ++at) {
    const std::size_t digits = count_digits(s);
    if (digits == 0 || digits == s.size()) break;
    const std::size_t unit = units.find(s[digits], at);
    if (unit == units.npos || (count > 0 && unit != at)) break;
    s.remove_prefix(digits + 1);
    at = unit;
    ++count;
  }
  return count;
}

}  // namespace

bool is_date(std::string_view s) { return take_date(s) && s.empty(); }
bool is_time(std::string_view s) { return take_time(s) && s.empty(); }

bool is_date_time(std::string_view s) {
  return take_date(s) && (take(s, 'T') || take(s, 't')) && take_time(s) && s.empty();
}

bool is_duration(std::string_view s) {
  if (!take(s, 'P')) return false;
  if (take_units(s, "W") > 0) return s.empty();
  const int date = take_units(s, "YMD");
  if (take(s, 'T')) return take_units(s, "HMS") > 0 && s.empty();
  return date > 0 && s.empty();
}

}  // namespace BELAY_NAMESPACE::schema
