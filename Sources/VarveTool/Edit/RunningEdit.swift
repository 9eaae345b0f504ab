import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// A change inside its transaction.
struct RunningEdit {
  /// The lines that describe the change.
  final class Lines {
    fileprivate(set) var all: [String] = []
  }

  let schema: ClassSchema
  let lines = Lines()
  private let transaction: Transaction
  private let scope: ReadScope
  private let model: ClassDescription
  /// The values before the change.
  private let before: ReportedValues
  private let isQuiet: Bool

  init(_ transaction: Transaction, of store: Store, _ schema: ClassSchema, isQuiet: Bool) {
    self.transaction = transaction
    self.schema = schema
    self.isQuiet = isQuiet
    scope = ReadScope(transaction, of: store)
    model = transaction.schema.model(of: schema)
    before = ReportedValues(transaction.schema, transaction.base)
  }

  /// Returns the ids of the chosen objects.
  ///
  /// - Throws: ``ToolError`` for a key that is not there, and for an invalid predicate.
  func ids(of objects: EditedObjects) throws -> [UInt64] {
    guard objects.key.isEmpty else {
      var seen: Set<UInt64> = []
      return try objects.key.map { try ObjectIdentity($0, of: schema, model, in: scope).id }
        .filter { seen.insert($0).inserted }
    }
    var query = ElementQuery(.object(model))
    if let text = objects.predicate { query = try query.refined(byText: text) }
    let ids = try query.objectIDs(in: scope)
    if query.isWholeTable {
      try RowSequence.check(ids, of: schema, count: transaction.base.count(schema.table))
    }
    return ids
  }

  /// Deletes objects.
  func delete(_ ids: [UInt64]) throws -> EditResult {
    try verify(ids)
    for id in ids { try note("delete", id) }
    try transaction.operation { () throws(Failure) in
      try transaction.delete(ids.map { RowKey(classID: schema.id, objectID: $0) })
    }
    return EditResult(count: ids.count, participle: "deleted")
  }

  /// Sets properties of objects.
  func set(_ assignments: [Assignment], _ ids: [UInt64]) throws -> EditResult {
    try verify(ids)
    var reader = ObjectReader(editing: transaction)
    for id in ids {
      for assignment in assignments {
        try reader.set(assignment.value, assignment.property, of: id, schema)
      }
    }
    try transaction.flush()
    let after = ReportedValues(transaction.schema, transaction.reader)
    var result = EditResult(count: 0, participle: "changed")
    for id in ids {
      guard let oldRow = try before.reader.row(schema, id),
        let newRow = try after.reader.row(schema, id)
      else { continue }
      var changes: [String] = []
      for assignment in assignments {
        let property = assignment.property
        if try newRow.hasBlob(of: property, sharedWith: oldRow, property) { continue }
        let old = try before.value(oldRow, id, property)
        let new = try after.value(newRow, id, property)
        guard !old.isSame(as: new) else { continue }
        let text = new.isWhole(in: transaction.schema) ? new.text : assignment.text.printable
        changes.append("\(property.name.printable): \(old.text) → \(text)")
      }
      guard !changes.isEmpty else {
        result.unchangedCount += 1
        continue
      }
      result.count += 1
      try note("set", id, changes.joined(separator: ", "))
    }
    return result
  }

  /// Refuses damaged rows: a change would give them a valid checksum.
  private func verify(_ ids: [UInt64]) throws(Failure) {
    for id in ids { _ = try before.reader.requireRow(schema, id) }
  }

  /// Inserts an object for each line of JSON.
  func insert(_ text: Data) throws -> EditResult {
    var reader = ObjectReader(editing: transaction, isComplete: false)
    var count = 0
    var rest: Data? = text
    var lines = LineReader {
      defer { rest = nil }
      return rest
    }
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(Failure) {
        var json = try ObjectReader.parse(line)
        if case .object(let members) = json {
          json = .object(members.filter { $0.name != "#" })
        }
        let id = try reader.insert(json, schema)
        noteInsertion(id, json)
      } catch {
        var failure = error
        failure.details.insert("line \(lines.number)", at: 0)
        throw failure
      }
      count += 1
    }
    try reader.finish()
    return EditResult(count: count, participle: "inserted")
  }

  /// Notes a new object with its key, which may have been generated.
  private func noteInsertion(_ id: UInt64, _ json: JSONValue) {
    guard !isQuiet else { return }
    var key = "#\(id)"
    if schema.hasIntegerPrimaryKey {
      key = "\(ObjectKey.integer(forObjectID: id))"
    } else if let name = schema.primaryKey?.name, case .object(let members) = json,
      let member = members.first(where: { $0.name == name })
    {
      key = member.value.text
    }
    lines.all.append("insert \(schema.name.printable) \(key)")
  }

  /// Notes the change of an object.
  private func note(_ change: String, _ id: UInt64, _ details: String = "") throws(Failure) {
    guard !isQuiet else { return }
    let key = try schema.primaryKey.flatMap { (property) throws(Failure) in
      try before.reader.value(schema, id, property)
    }
    let name = "\(change) \(schema.name.printable) \(key?.text ?? "#\(id)")"
    lines.all.append(details.isEmpty ? name : "\(name)  \(details)")
  }
}

extension ReportedValue {
  /// Whether two values of one property are equal to the byte. A collection equals another one only
  /// when both are empty.
  fileprivate func isSame(as other: ReportedValue) -> Bool {
    switch (self, other) {
    case (.value(let value), .value(let other)):
      value.isIdentical(to: other)
    case (.object(let name, _, let id), .object(let otherName, _, let otherID)):
      name == otherName && id == otherID
    case (.collection(let summary), .collection(let other)): summary.count + other.count == 0
    case (.value, _), (.object, _), (.collection, _), (.json, _): false
    }
  }

  /// Whether ``text`` is the whole value: neither a number of elements nor the id of an embedded
  /// object.
  fileprivate func isWhole(in file: FileSchema) -> Bool {
    switch self {
    case .value(.nested), .collection, .json: false
    case .value: true
    case .object(let name, _, _): file.schema(named: name)?.record.isEmbedded == false
    }
  }
}
