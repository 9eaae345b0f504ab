import VarveCore
import VarveEncoding
import VarveStorage

/// The changes of the objects of one class between two versions, without a model of the class.
///
/// Thread safety: use it from one thread.
struct ClassChanges {
  private let schema: ClassSchema
  /// The evaluators of the predicate in the two versions; nil if all objects are reported.
  private let tests: (old: ConditionEvaluator, new: ConditionEvaluator)?
  private let difference: VersionDifference
  private let old: ReportedValues
  private let new: ReportedValues

  /// - Parameters:
  ///   - watched: The class, with the predicate that filters its objects.
  ///   - difference: The two versions.
  /// - Throws: A `Failure`, if the predicate cannot be evaluated.
  init(
    _ watched: WatchedClass, in difference: VersionDifference, of store: Store
  ) throws(Failure) {
    schema = watched.schema
    if let predicate = watched.predicate {
      tests = (
        try predicate.evaluator(in: difference.old, of: store),
        try predicate.evaluator(in: difference.new, of: store)
      )
    } else {
      tests = nil
    }
    self.difference = difference
    old = ReportedValues(difference.schema, difference.old)
    new = ReportedValues(difference.schema, difference.new)
  }

  /// Reports each changed object, in the order of their ids.
  ///
  /// - Parameter body: A closure that receives the reports one by one.
  /// - Throws: A `Failure` with `.corrupted`, or any error thrown by `body`.
  /// - Complexity: O(changes).
  func forEach(_ body: (ObjectReport) throws -> Void) throws {
    let changes = try difference.objects(ofClass: schema.id)
    var (inserted, deleted, modified) = (
      changes.inserted[...], changes.deleted[...], changes.modified[...]
    )
    while true {
      let next = [inserted.first, deleted.first, modified.first?.id].compactMap(\.self).min()
      guard let next else { return }
      if inserted.first == next {
        inserted.removeFirst()
        guard let row = try new.reader.row(schema, next), try matches(row, next, tests?.new)
        else { continue }
        try body(
          report(.inserted, next, new, row, try new.all(row, next, of: schema, isOld: false)))
      } else if deleted.first == next {
        deleted.removeFirst()
        guard let row = try old.reader.row(schema, next), try matches(row, next, tests?.old)
        else { continue }
        try body(report(.deleted, next, old, row, try old.all(row, next, of: schema, isOld: true)))
      } else if let modification = modified.popFirst() {
        if let report = try report(modification) { try body(report) }
      }
    }
  }

  private func report(_ modification: ObjectChanges.Modification) throws(Failure) -> ObjectReport? {
    let id = modification.id
    guard let before = try old.reader.row(schema, id),
      let after = try new.reader.row(schema, id)
    else { return nil }
    let kind: ObjectReport.Kind
    switch (try matches(before, id, tests?.old), try matches(after, id, tests?.new)) {
    case (true, true): kind = .modified
    case (false, true): kind = .enters
    case (true, false): kind = .leaves
    case (false, false): return nil
    }
    var properties: [ObjectReport.Property] = []
    for property in modification.propertyIDs.compactMap(schema.property(id:)) {
      let values =
        property.kind.collection == .none
        ? (try old.value(before, id, property), try new.value(after, id, property))
        : try collections(property, before, after)
      properties.append(.init(name: property.name, old: values.0, new: values.1))
    }
    return try report(kind, id, new, after, properties)
  }

  private func collections(
    _ property: StoredProperty, _ before: RowReader, _ after: RowReader
  ) throws(Failure) -> (ReportedValue, ReportedValue) {
    let (before, after) = (before.content(of: property), after.content(of: property))
    let parts = CollectionDifference(of: property, from: before, to: after)
    var summary = CollectionSummary(count: after.count)
    do throws(StorageError) {
      switch property.kind.collection {
      case .list:
        let changes = try parts.list().changes(from: difference.old, to: difference.new)
        summary.deletions = changes.deletions.count
        summary.insertions = changes.insertions.count
        summary.modifications = changes.modifications.count
      case .dictionary:
        let changes = try parts.map.changes(from: difference.old, to: difference.new)
        summary.deletions = changes.deletions.count
        summary.insertions = changes.insertions.count
        summary.modifications = changes.modifications.count
      case .none, .set: break
      }
    } catch {
      throw Failure(error)
    }
    if property.kind.collection == .set {
      let changes = try parts.set.changes(from: difference.old, to: difference.new).indexes
      summary.deletions = changes.deletions.count
      summary.insertions = changes.insertions.count
    }
    return (.collection(CollectionSummary(count: before.count)), .collection(summary))
  }

  private func matches(
    _ row: RowReader, _ id: UInt64, _ test: ConditionEvaluator?
  ) throws(Failure) -> Bool {
    guard let test else { return true }
    return try test.matches(row, id: id)
  }

  private func report(
    _ kind: ObjectReport.Kind, _ id: UInt64, _ version: ReportedValues, _ row: RowReader,
    _ properties: [ObjectReport.Property]
  ) throws(Failure) -> ObjectReport {
    var key: Value?
    if let property = schema.primaryKey { key = try version.reader.value(of: row, id, property) }
    return ObjectReport(
      className: schema.name, kind: kind, objectID: id, primaryKey: key, properties: properties)
  }
}
