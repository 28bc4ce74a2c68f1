// SPDX-License-Identifier: Apache-2.0
// Students of submissions and students of the roster. A platform's export names a student in
// another way than its gradebook does: by a login, a number, an address or only a name. Each
// student of submissions gets the key of the row that fits. A name that two students share matches
// neither of them. Students without a row keep their name as the key until a person decides: the
// possible rows stay open, and no student gets another's grade or a zero.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/class/gradebook.h"
#include "grader/class/hand_in.h"

namespace warpgrade::grader::class_book {

/// Gives the students of `handed_in` the roster's keys; students in `decided` get the keys that a
/// person chose. `roster` may be empty if the class has none.
void match_roster(HandedIn& handed_in, const std::vector<Enrolled>& roster,
                  const std::map<std::string, std::string>& decided = {});

/// The roster's key of a student; none if no row fits, or several do.
std::optional<std::string> roster_key(const std::vector<Enrolled>& roster,
                                      const std::string& student, const HandedIdentity& identity);

/// Distinguishes students of one name by address, or by their number in the export.
class Namesakes {
 public:
  /// `place`: the folder in which the export numbers its students.
  void add(const std::string& student, const std::string& place, const HandedIdentity& identity);
  /// The student's name, with the number or address behind it if it is the name of several.
  std::string key(const std::string& student, const HandedIdentity& identity) const;

 private:
  std::map<std::string, std::map<std::string, std::set<std::string>>> tags_;
};

}  // namespace warpgrade::grader::class_book
