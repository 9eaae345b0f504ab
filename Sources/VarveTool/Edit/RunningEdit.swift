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
    return try query.objectIDs(in: scope)
  }

  /// Deletes objects.
  func delete(_ ids: [UInt64]) throws -> (count: Int, participle: String) {
    for id in ids { try note("delete", id) }
    try transaction.operation { () throws(Failure) in
      try transaction.delete(ids.map { RowKey(classID: schema.id, objectID: $0) })
    }
    return (ids.count, "deleted")
  }

  /// Sets properties of objects.
  func set(
    _ assignments: [Assignment], _ ids: [UInt64]
  ) throws -> (count: Int, participle: String) {
    var reader = ObjectReader(editing: transaction)
    for id in ids {
      var changes: [String] = []
      for assignment in assignments {
        let property = assignment.property
        if !isQuiet, let row = try before.snapshot.row(schema, id) {
          let old = try before.value(row, id, property)
          changes.append(
            "\(property.name.printable): \(old.text) → \(assignment.text.printable)")
        }
        try reader.set(assignment.value, property, of: id, schema)
      }
      try note("set", id, changes.joined(separator: ", "))
    }
    return (ids.count, "changed")
  }

  /// Inserts an object for each line of JSON.
  func insert(_ text: [UInt8]) throws -> (count: Int, participle: String) {
    var reader = ObjectReader(editing: transaction, isComplete: false)
    var count = 0
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      do throws(Failure) {
        var json = try ObjectReader.parse(Array(line))
        if case .object(let members) = json {
          json = .object(members.filter { $0.name != "#" })
        }
        let id = try reader.insert(json, schema)
        noteInsertion(id, json)
      } catch {
        var failure = error
        failure.details.insert("line \(index + 1)", at: 0)
        throw failure
      }
      count += 1
    }
    try reader.finish()
    return (count, "inserted")
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
      try before.snapshot.value(schema, id, property)
    }
    let name = "\(change) \(schema.name.printable) \(key?.text ?? "#\(id)")"
    lines.all.append(details.isEmpty ? name : "\(name)  \(details)")
  }
}
