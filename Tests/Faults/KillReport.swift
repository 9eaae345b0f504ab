/// What the runs of a kill test have done.
struct KillReport: CustomStringConvertible {
  var kills = 0
  /// Kills at a chosen file operation.
  var plannedKills = 0
  var checks = 0
  var acknowledged = 0
  var deliveries = 0
  /// The longest time between a kill and the next commit of a survivor, or its notification of the
  /// last commit.
  var longestWait = Duration.zero
  /// The longest time for which the reader slot of a dead process was used.
  var longestSlot = Duration.zero
  /// Slots of dead processes that were seen before they were cleared.
  var deadSlots = 0
  /// Files of processes that were killed while they created or compacted the store.
  var leftovers = 0
  var largestFile = 0

  var description: String {
    "\(kills) kills, \(plannedKills) of them at a file operation, \(checks) checks,"
      + " \(acknowledged) acknowledged commits, \(deliveries) notifications,"
      + " longest wait \(longestWait), \(deadSlots) slots of the dead for up to \(longestSlot),"
      + " \(leftovers) leftovers, at most \(largestFile >> 10) KB"
  }
}
