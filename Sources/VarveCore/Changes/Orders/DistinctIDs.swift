/// Which objects are the first of those that share their value, as `distinct` keeps them.
///
/// All objects are in here, grouped by value and in each group in the order of the results before
/// `distinct`; for results in source order the prefix is 0 throughout and no rows settle anything.
///
/// A query that is kept up to date has one in front of the order that its observer sees. It gives
/// the edits of all objects to `apply`, and what that returns to the `OrderedIDs` of the distinct
/// results, with the same rows; or its ids to their `IDSet`, where they are in source order. Objects
/// that are returned as rekeyed are modified ones there.
///
/// - Thread safety: a value, free to be read anywhere; copies share what they have in common.
package struct DistinctIDs: Sendable {
  package typealias Edits = OrderEdits<DistinctPrefix>

  private var groups: OrderedEntries<DistinctPrefix>

  /// - Parameters:
  ///   - members: all objects, in any order.
  ///   - rows: the order of the rows, for objects of equal values and prefixes.
  /// - Throws: what `rows` throws.
  /// - Complexity: O(n log n)
  package init(
    _ members: [OrderedEntry<DistinctPrefix>], by rows: RowOrder
  ) throws(Failure) {
    groups = try OrderedEntries(sorting: members, by: rows)
  }

  /// How many objects there are, first or not.
  package var memberCount: Int { groups.count }

  /// The first object of each value, in no particular order.
  ///
  /// - Complexity: O(objects)
  package var firsts: [OrderedIDs.Entry] {
    var firsts: [OrderedIDs.Entry] = []
    var value: DistinctValue?
    for member in groups where member.prefix.value != value {
      value = member.prefix.value
      firsts.append(OrderedIDs.Entry(prefix: member.prefix.prefix, id: member.id))
    }
    return firsts
  }

  /// The first object of a value, or nil if no object has it.
  ///
  /// - Complexity: O(log n)
  package func first(of value: DistinctValue) -> OrderedIDs.Entry? {
    let index = groups.firstIndex { $0.prefix.value < value }
    guard index < groups.count else { return nil }
    let member = groups[index]
    guard member.prefix.value == value else { return nil }
    return OrderedIDs.Entry(prefix: member.prefix.prefix, id: member.id)
  }

  /// Edits the objects and tells what that does to the first ones.
  ///
  /// When a first object leaves its value, the next takes over: it is inserted there, as the other is
  /// removed. Objects that are not first, before or after, are not named.
  ///
  /// - Parameters:
  ///   - edits: all changed objects; one whose value has changed is rekeyed.
  ///   - old: the order of the rows before, for objects of equal values and prefixes.
  ///   - new: the order of the rows now.
  /// - Returns: what happened to the first objects, with the prefixes of the order given here; nil, as
  ///   `OrderedEntries.apply`, if an object is not in its place. Then everything is as before.
  /// - Throws: as `OrderedEntries.apply`; then everything is as before.
  /// - Precondition: no object is named twice, unless as modified.
  /// - Complexity: O(changes · log n)
  package mutating func apply(
    _ edits: Edits, old: RowOrder, new: RowOrder
  ) throws(Failure) -> OrderEdits<UInt64>? {
    let before = self
    guard try groups.apply(edits, old: old, new: new) != nil else { return nil }
    return DistinctComparison(before: before, after: self, edits: edits).editsOfFirsts()
  }
}
