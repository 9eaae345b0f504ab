import Foundation
import Varve
import VarveCore
import VarveEncoding
import VarveJSONLines
import VarveStorage

/// A change of objects of one class, in one write transaction.
struct StoreEdit {
  private let path: String
  private let className: String
  private let options: EditOptions

  init(_ path: String, _ className: String, _ options: EditOptions) {
    self.path = URL(fileURLWithPath: path).path
    self.className = className
    self.options = options
  }

  /// Runs a change and prints it, and commits it if that was requested.
  ///
  /// - Parameter change: A closure that makes the change, and returns the number of changed objects
  ///   with the participle of the change: “deleted”.
  /// - Throws: ``ToolError``. Nothing is written then.
  func run(
    _ change: (RunningEdit, StandardOutput) throws -> (count: Int, participle: String)
  ) throws {
    try ToolError.translating {
      guard FileIdentity(path: path) != nil else {
        throw ToolError("The store does not exist.\n  \(path)")
      }
      let store = try Store(options: StoreOptions(path: path))
      let result = Result { try run(change, in: store) }
      try store.close()
      try result.get()
    }
  }

  private func run(
    _ change: (RunningEdit, StandardOutput) throws -> (count: Int, participle: String),
    in store: Store
  ) throws {
    // A closed pipe must not roll the change back.
    try StandardOutput.printing(endsWhenClosed: false) { output in
      let (count, participle) = try store.write(view: nil) { transaction in
        let schema = try transaction.schema.requireClass(className)
        guard !schema.record.isEmbedded else {
          throw ToolError(
            "Embedded objects are changed with their parents.\n  \(className.printable)")
        }
        let edit = RunningEdit(transaction, of: store, schema, isQuiet: options.quiet)
        let result = try change(edit, output)
        if !options.write { store.cancelWriteOfThread() }
        return result
      }
      let objects = Quantity.count(count, "object")
      try output.line(
        options.write
          ? "\(objects) \(participle)"
          : "\(objects) would be \(participle). Nothing is written without --write.")
    }
  }
}

/// The change inside the transaction.
struct RunningEdit {
  let schema: ClassSchema
  private let transaction: Transaction
  private let scope: ReadScope
  private let model: ClassDescription
  /// The values before the change.
  private let before: ReportedValues
  private let isQuiet: Bool

  fileprivate init(
    _ transaction: Transaction, of store: Store, _ schema: ClassSchema, isQuiet: Bool
  ) {
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
  func delete(
    _ ids: [UInt64], _ output: StandardOutput
  ) throws -> (count: Int, participle: String) {
    for id in ids { try print("delete", id, "", output) }
    try transaction.delete(ids.map { RowKey(classID: schema.id, objectID: $0) })
    return (ids.count, "deleted")
  }

  /// Sets properties of objects.
  func set(
    _ assignments: [Assignment], _ ids: [UInt64], _ output: StandardOutput
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
      try print("set", id, changes.joined(separator: ", "), output)
    }
    return (ids.count, "changed")
  }

  /// Inserts an object for each line of JSON.
  func insert(
    _ lines: consuming LineReader, _ output: StandardOutput
  ) throws -> (count: Int, participle: String) {
    var lines = lines
    var reader = ObjectReader(editing: transaction)
    var count = 0
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do throws(Failure) {
        var json = try ObjectReader.parse(line)
        if case .object(let members) = json {
          json = .object(members.filter { $0.name != "#" })
        }
        _ = try reader.insert(json, schema)
      } catch {
        var failure = error
        failure.details.insert("line \(lines.number)", at: 0)
        throw failure
      }
      count += 1
      if !isQuiet {
        try output.line("insert \(schema.name) \(String(decoding: line, as: UTF8.self).printable)")
      }
    }
    return (count, "inserted")
  }

  private func print(
    _ change: String, _ id: UInt64, _ details: String, _ output: StandardOutput
  ) throws {
    guard !isQuiet else { return }
    let key = try schema.primaryKey.flatMap { (property) throws(Failure) in
      try before.snapshot.value(schema, id, property)
    }
    let name = "\(change) \(schema.name) \(key?.text ?? "#\(id)")"
    try output.line(details.isEmpty ? name : "\(name)  \(details)")
  }
}
