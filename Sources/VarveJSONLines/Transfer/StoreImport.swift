import Foundation
import VarveCore
import VarveEncoding
import VarveStorage

/// Imports JSON Lines into an empty store, inside one write transaction. The format is described in
/// `Docs/JSON-Lines.md`.
///
/// Each line is stored as soon as it is read. A property that links to an object that has not been
/// read yet is deferred to a file and set at the end. Memory therefore depends on the longest line
/// and on the pages that the engine keeps for the transaction, but not on the number of objects.
///
/// Thread safety: none; only the thread that runs the write uses it.
struct StoreImport {
  private static let progressInterval = 1024

  let transaction: Transaction
  var lines: LineReader
  let deferred: DeferredProperties
  private var objects: ObjectReader
  private var counts: [String: Int] = [:]
  private var done = 0

  /// - Parameters:
  ///   - transaction: A transaction of a store without objects.
  ///   - source: A closure that returns the next block of the text; nil or an empty block at the
  ///     end.
  init(into transaction: Transaction, from source: @escaping () throws -> Data?) {
    self.transaction = transaction
    let options = transaction.store.options
    deferred = DeferredProperties(
      directory: options.isInMemory
        ? nil : URL(fileURLWithPath: options.path).deletingLastPathComponent().path)
    lines = LineReader(source)
    objects = ObjectReader(transaction, idShift: transaction.lastObjectID)
  }

  /// Reads the header and the objects.
  ///
  /// - Parameter progress: A closure that is called once every 1,024 objects and at the end.
  /// - Returns: The number of objects.
  /// - Throws: The first error found, with line, class, property and value; any error thrown by the
  ///   source or `progress`. The transaction must then be rolled back.
  mutating func run(_ progress: StoreExport.Progress?) throws -> Int {
    try checkEmpty()
    try readHeader()
    let total = counts.isEmpty ? nil : total(counts.values)
    while let line = try lines.next() {
      if line.allSatisfy(Self.isSpace) { continue }
      try addingLine(lines.number) { (store) throws(Failure) in try store.read(line) }
      done += 1
      if done % Self.progressInterval == 0 { try progress?(done, total) }
    }
    try checkCounts()
    objects.isComplete = true
    try deferred.forEach { property in
      try addingLine(property.line) { (store) throws(Failure) in try store.set(property) }
    }
    try progress?(done, total)
    return done
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private func checkEmpty() throws(Failure) {
    for schema in transaction.schema.classes where transaction.reader.count(schema.table) > 0 {
      throw Failure(
        .fileExists, "The store has objects already.", className: schema.name,
        path: transaction.store.options.path)
    }
  }

  /// Adds the line number to an error that `work` throws.
  private mutating func addingLine(
    _ line: Int, _ work: (inout StoreImport) throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try work(&self)
    } catch {
      var failure = error
      failure.details.insert("line \(line)", at: 0)
      throw failure
    }
  }

  // MARK: The header

  private mutating func readHeader() throws {
    guard let line = try lines.next() else {
      throw Failure(.invalidInput, "There is nothing to import: the text is empty.")
    }
    try addingLine(1) { (store) throws(Failure) in try store.register(line) }
  }

  private mutating func register(_ line: [UInt8]) throws(Failure) {
    let links = ClassLinks()
    defer { links.cut() }
    let header = try ImportedSchema(try ObjectReader.parse(line), links)
    try checkVersion(header)
    transaction.adoptSchemaVersion(header.userSchemaVersion)
    try transaction.register(header.classes)
    counts = header.counts
    for description in header.classes {
      guard let schema = transaction.schema.schema(named: description.name) else { continue }
      objects.plans[description.name] = ImportedClass(schema, transaction.schema)
      if let key = header.lastKeys[description.name] {
        try transaction.raiseLastKey(to: key, schema)
      }
    }
  }

  /// Rejects a text whose schema version differs from the version of the store, or from the version
  /// that the program expects.
  private func checkVersion(_ header: ImportedSchema) throws(Failure) {
    guard let expected = transaction.expectedSchemaVersion, header.userSchemaVersion != expected
    else {
      return
    }
    throw Failure(
      .schemaMismatch, "The text has another schema version than the store.",
      value: "\(header.userSchemaVersion) and not \(expected)")
  }

  /// Returns the sum, or nil on overflow.
  private func total(_ counts: some Sequence<Int>) -> Int? {
    counts.reduce(0) { (sum: Int?, count) in
      guard let (next, isTooGreat) = sum?.addingReportingOverflow(count), !isTooGreat else {
        return nil
      }
      return next
    }
  }

  private func checkCounts() throws(Failure) {
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
      let found = objects.plans[name]?.count ?? 0
      guard found != count else { continue }
      throw Failure(
        .invalidInput,
        found < count
          ? "The text ends too early: objects are missing."
          : "There are more objects than the header states.",
        className: name, value: "\(found) of \(count) objects", details: ["line \(lines.number)"])
    }
  }

  // MARK: Objects

  private mutating func read(_ line: [UInt8]) throws(Failure) {
    var members = try JSONMembers(try ObjectReader.parse(line), "The line")
    guard let name = try members.string("class") else {
      throw Failure(.invalidInput, "A line has no class.")
    }
    guard let plan = objects.plans[name] else {
      throw Failure(.unknownClass, "The header has no such class.", className: name)
    }
    do throws(Failure) {
      guard !plan.schema.record.isEmbedded else {
        throw Failure(.invalidInput, "An embedded object has a line of its own.")
      }
      let (id, key) = try readIdentity(&members, plan.schema)
      let values = try members.take("values") ?? .object([])
      try members.end()
      try insert(values, line, plan, id, key)
      plan.count += 1
    } catch {
      var failure = error
      if failure.className == nil { failure.className = name }
      throw failure
    }
  }

  /// Reserves the id of an object and stores its key.
  private mutating func readIdentity(
    _ members: inout JSONMembers, _ schema: ClassSchema
  ) throws(Failure) -> (id: UInt64, key: Value?) {
    guard let key = schema.primaryKey else {
      guard let id = try members.integer("id") else {
        throw Failure(.missingValue, "An object has no id.")
      }
      let shifted = UInt64(id) + objects.idShift
      try transaction.takeObjectID(schema, shifted)
      return (shifted, nil)
    }
    guard let json = try members.take("key") else {
      throw Failure(.missingValue, "An object has no key.", propertyName: key.name)
    }
    let value = try objects.value(json, key, schema)
    return (try transaction.newObjectID(schema, primaryKey: value), value)
  }

  private mutating func insert(
    _ values: JSONValue, _ line: [UInt8], _ plan: ImportedClass, _ id: UInt64, _ key: Value?
  ) throws(Failure) {
    var parts = try objects.properties(values, plan)
    for (index, part) in parts.enumerated() where part.isUnknown {
      let property = plan.schema.properties[index]
      try deferred.append(
        DeferredProperty(
          line: lines.number, classID: plan.schema.id, objectID: id, propertyID: property.id,
          text: Array(line[try Self.bytes(of: property.name, in: values, line)])))
      parts[index] = .value(.null)
    }
    if let key, let index = plan.schema.properties.firstIndex(where: \.isPrimaryKey) {
      parts[index] = .value(key)
    }
    try objects.store(parts, plan, id)
  }

  /// Returns the byte range of a property's value in a line.
  private static func bytes(
    of name: String, in values: JSONValue, _ line: [UInt8]
  ) throws(Failure) -> Range<Int> {
    guard case .object(let members) = values,
      let member = members.first(where: { $0.name == name })
    else { throw Failure(.fail, "A deferred property was not found.", propertyName: name) }
    return member.bytes
  }

  /// Sets a deferred property.
  private mutating func set(_ property: DeferredProperty) throws(Failure) {
    let schema = try transaction.classSchema(property.classID)
    guard let stored = schema.property(id: property.propertyID) else {
      throw Failure(.fail, "A deferred property was not found.", className: schema.name)
    }
    let part = try objects.part(try ObjectReader.parse(property.text), stored, schema)
    try objects.setPart(part, stored, schema, property.objectID)
  }
}
