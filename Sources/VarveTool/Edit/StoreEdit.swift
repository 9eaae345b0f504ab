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

  /// Runs a change, commits it if that was requested, and prints it.
  ///
  /// Nothing is printed inside the transaction: a slow reader of the output does not stop other
  /// writers.
  ///
  /// - Parameter change: A closure that makes the change, and returns the number of changed objects
  ///   with the participle of the change: “deleted”.
  /// - Throws: ``ToolError``. Nothing is written then, unless the error says so.
  func run(_ change: (RunningEdit) throws -> (count: Int, participle: String)) throws {
    try ToolError.translating {
      var storeOptions = StoreOptions(path: path)
      storeOptions.createsFile = false
      let store = try Store(options: storeOptions)
      let result = Result { try run(change, in: store) }
      try store.close()
      let (edit, count, participle) = try result.get()
      do {
        try print(edit, count, participle)
      } catch {
        throw ToolError(
          options.write ? "The change was written, but not printed. \(error)" : "\(error)")
      }
    }
  }

  private func run(
    _ change: (RunningEdit) throws -> (count: Int, participle: String), in store: Store
  ) throws -> (RunningEdit, Int, String) {
    try store.write(view: nil) { transaction in
      let schema = try transaction.schema.requireClass(className)
      guard !schema.record.isEmbedded else {
        throw ToolError(
          "Embedded objects are changed with their parents.\n  \(className.printable)")
      }
      let edit = RunningEdit(
        transaction, of: store, schema, isQuiet: options.quiet || options.json)
      let (count, participle) = try change(edit)
      if !options.write { store.cancelWriteOfThread() }
      return (edit, count, participle)
    }
  }

  private func print(_ edit: RunningEdit, _ count: Int, _ participle: String) throws {
    try StandardOutput.printing(endsWhenClosed: false) { output in
      if options.json {
        return try output.line(
          "{\"objects\":\(count),\"change\":\(participle.json),\"written\":\(options.write)}")
      }
      for line in edit.lines.all { try output.line(line) }
      let objects = Quantity.count(count, "object")
      try output.line(
        options.write
          ? "\(objects) \(participle)"
          : "\(objects) would be \(participle). Nothing is written without --write.")
    }
  }
}
