import Synchronization
package import Foundation
package import VarveEncoding
import VarveStorage

/// Typed reads of one property. Each is monomorphic. A row that does not exist reads as zero, or as
/// nil where the property is nullable.
extension RowHandle {
  /// Reads the fixed bytes of a property. The result has no value when the object does not exist,
  /// the value is null, or it has to be read by the general path (``value(_:)``).
  @inline(__always)
  func fixed<T: BitwiseCopyable>(
    _ slot: Int, _ context: ReadContext, as type: T.Type
  ) -> FixedRead<T> {
    let pinned = pin(context, slot)
    defer { pinned.end() }
    guard let row = pinned.row else { return .absent }
    let access = access(slot, in: row)
    if access.isNull(in: row) { return .null }
    guard _fastPath(access.offset > 0) else {
      return access.offset == FieldAccess.inObjectID ? .inObjectID : .elsewhere
    }
    return .value(row.loadUnaligned(fromByteOffset: Int(access.offset), as: type))
  }

  /// Reads as ``fixed(_:_:as:)`` does, inside a write, from the row that the transaction has used
  /// last; `.elsewhere` for any other row.
  @inline(__always)
  func fixedInTransaction<T: BitwiseCopyable>(
    _ slot: Int, _ context: ReadContext, as type: T.Type
  ) -> FixedRead<T> {
    guard let transaction = context.transactionReference, !context.isInvalidated else {
      return .elsewhere
    }
    return transaction._withUnsafeGuaranteedRef { transaction in
      bindingReference._withUnsafeGuaranteedRef { binding in
        guard let row = transaction.rows.last, row.key.objectID == id,
          row.schema.table == binding.table,
          row.buffer.layout.id == binding.layoutID, !transaction.storage.hasFailed
        else { return .elsewhere }
        let access = binding.accesses[slot]
        guard access.offset > 0 else { return .elsewhere }
        let bytes = row.buffer.fixedPart
        if access.isNull(in: bytes) { return .null }
        return .value(bytes.loadUnaligned(fromByteOffset: Int(access.offset), as: type))
      }
    }
  }

  /// Reads a property of a fixed width; nil for null and for an object that does not exist.
  @inline(__always)
  func read<T: BitwiseCopyable>(_ slot: Int, as type: T.Type, _ other: (Value) -> T?) -> T? {
    withContext { context in
      if _fastPath(!context.readsTransaction) {
        switch fixed(slot, context, as: type) {
        case .value(let value): return value
        case .null: return nil
        case .absent: logInvalidatedRead(context); return nil
        case .inObjectID, .elsewhere: break
        }
      } else {
        switch fixedInTransaction(slot, context, as: type) {
        case .value(let value): return value
        case .null: return nil
        case .absent, .inObjectID, .elsewhere: break
        }
      }
      return other(value(slot))
    }
  }

  /// Reads an integer; an object that does not exist keeps its integer key.
  @inline(__always)
  private func integer<T: FixedWidthInteger & BitwiseCopyable>(_ slot: Int, as type: T.Type) -> T? {
    withContext { context in
      if _fastPath(!context.readsTransaction) {
        switch fixed(slot, context, as: type) {
        case .value(let value): return value
        case .null: return nil
        case .inObjectID: return T(truncatingIfNeeded: ObjectKey.integer(forObjectID: id))
        case .absent:
          logInvalidatedRead(context); return keyOfDeleted(slot).map(T.init(truncatingIfNeeded:))
        case .elsewhere: break
        }
      } else {
        switch fixedInTransaction(slot, context, as: type) {
        case .value(let value): return value
        case .null: return nil
        case .absent, .inObjectID, .elsewhere: break
        }
      }
      return otherInteger(slot).map(T.init(truncatingIfNeeded:))
    }
  }

  @inline(never)
  private func otherInteger(_ slot: Int) -> Int64? {
    if case .int(let value) = value(slot) { value } else { keyOfDeleted(slot) }
  }

  /// The integer key, which an object keeps when it is deleted; nil for any other property.
  @inline(never)
  private func keyOfDeleted(_ slot: Int) -> Int64? {
    let model = binding.model
    guard model.primaryKeySlot == slot, model.hasIntegerPrimaryKey else { return nil }
    return ObjectKey.integer(forObjectID: id)
  }

  package func int64(_ slot: Int) -> Int64? {
    let found = integer(slot, as: Int64.self)
    guard mayReadMark, found == DefaultMark.integer else { return found }
    return otherInteger(slot)
  }
  package func int32(_ slot: Int) -> Int32? { integer(slot, as: Int32.self) }
  package func int16(_ slot: Int) -> Int16? { integer(slot, as: Int16.self) }
  package func int8(_ slot: Int) -> Int8? { integer(slot, as: Int8.self) }

  package func bool(_ slot: Int) -> Bool? {
    read(slot, as: UInt8.self) { if case .bool(let value) = $0 { value ? 1 : 0 } else { nil } }
      .map { $0 != 0 }
  }

  package func double(_ slot: Int) -> Double? {
    let bits = read(slot, as: UInt64.self) { Self.doubleBits($0) }
    guard mayReadMark, bits == DefaultMark.doubleBits else {
      return bits.map(Double.init(bitPattern:))
    }
    return Self.doubleBits(value(slot)).map(Double.init(bitPattern:))
  }

  package func float(_ slot: Int) -> Float? {
    let bits = read(slot, as: UInt32.self) { Self.floatBits($0) }
    guard mayReadMark, bits == DefaultMark.floatBits else {
      return bits.map(Float.init(bitPattern:))
    }
    return Self.floatBits(value(slot)).map(Float.init(bitPattern:))
  }

  package func date(_ slot: Int) -> Date? {
    var bits = read(slot, as: UInt64.self) { Self.dateBits($0) }
    if mayReadMark, bits == DefaultMark.dateBits { bits = Self.dateBits(value(slot)) }
    return bits.map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
  }

  package func uuid(_ slot: Int) -> UUID? {
    let found = read(slot, as: uuid_t.self) { Self.uuid($0)?.uuid }.map(UUID.init(uuid:))
    guard mayReadMark, found == DefaultMark.uuid else { return found }
    return Self.uuid(value(slot))
  }

  package func objectId(_ slot: Int) -> ObjectIdBytes? {
    let found = read(slot, as: ObjectIdBytes.Stored.self) {
      Self.objectId($0).map(ObjectIdBytes.Stored.init)
    }.map(ObjectIdBytes.init)
    guard mayReadMark, found == DefaultMark.objectId else { return found }
    return Self.objectId(value(slot))
  }

  package func decimal(_ slot: Int) -> Decimal128Bits? {
    let found = read(slot, as: UInt128.self) { Self.decimal($0)?.littleEndian }
      .map(Decimal128Bits.init(littleEndian:))
    guard mayReadMark, let found, found.isIdentical(to: DefaultMark.decimal) else { return found }
    return Self.decimal(value(slot))
  }

  /// Reads a string; nil for null and for an object that does not exist.
  package func string(_ slot: Int) -> String? {
    let found = variable(slot, { String(decoding: $0, as: UTF8.self) }, { try? $0.text(of: $1) })
    if let found, !(mayReadMark && DefaultMark.isText(found)) { return found }
    if case .string(let string) = value(slot) { return string }
    return nil
  }

  /// Reads data; nil for null and for an object that does not exist.
  package func data(_ slot: Int) -> Data? {
    let found = variable(slot, { Data($0) }, { try? $0.bytes(of: $1) })
    if let found, !(mayReadMark && DefaultMark.isData(found)) { return found }
    if case .data(let data) = value(slot) { return data }
    return nil
  }

  /// Returns a string or data, made of the bytes in the row by `inline` or of a blob by `blob`, or
  /// nil when it has to be read by the general path: inside a transaction, for a row that does not
  /// exist or lacks the property, and for damage, which that path records.
  @inline(__always)
  private func variable<T>(
    _ slot: Int, _ inline: (UnsafeRawBufferPointer) -> T,
    _ blob: (Snapshot, BlobReference) -> T?
  ) -> T?? {
    withContext { context in
      if context.readsTransaction { return nil }
      let pinned = pin(context, slot)
      defer { pinned.end() }
      guard let row = pinned.row else { return nil }
      let access = access(slot, in: row)
      if access.isNull(in: row) { return .some(nil) }
      guard access.offset > 0,
        let bytes = VariableBytes(in: row, slot: Int(access.offset))
      else { return nil }
      switch bytes {
      case .inline(let bytes): return inline(bytes)
      case .blob(let reference):
        let value = pinned.snapshot._withUnsafeGuaranteedRef { blob($0, reference) }
        return value.map(T?.some)
      }
    }
  }

  /// Reads the id of a linked object; nil for null.
  package func link(_ slot: Int) -> UInt64? {
    read(slot, as: UInt64.self) { if case .link(_, let id) = $0 { id } else { nil } }
  }

  /// Reads any property by the general path: inside a transaction, in a blob, of a type without a
  /// fast path, or missing in the row's layout. Null for an object that does not exist.
  package func value(_ slot: Int) -> Value {
    guard let context else { return .null }
    if context.mustNoteRead, !context.readsTransaction { noteRead(slot, context) }
    guard let (schema, property) = stored(slot, context) else {
      // The property is not in the file yet: objects read the value that they will have once it is
      // added.
      return valueOfUnknown(slot, context)
    }
    do throws(Failure) {
      if let transaction = context.transaction {
        guard !context.isInvalidated,
          let value = try transaction.value(schema, id, property)
        else {
          transaction.markFailed(invalidatedFailure(slot))
          return .null
        }
        if _slowPath(property.lacksDefault(value)) {
          return try missingDefault(schema, property, context)
        }
        return value
      }
      guard !context.isInvalidated, let value = try context.snapshot.value(schema, id, property)
      else {
        logInvalidatedRead(context)
        return .null
      }
      if _slowPath(property.lacksDefault(value)) {
        return try missingDefault(schema, property, context)
      }
      return value
    } catch {
      context.store.markDamaged(error.message)
      return .null
    }
  }

  /// Returns the failure of a transaction that reads or changes a property of a deleted object.
  func invalidatedFailure(_ slot: Int) -> Failure {
    .invalidatedObject(binding.name, propertyName(slot))
  }

  /// Logs a read of a deleted object, once per store.
  @inline(never)
  func logInvalidatedRead(_ context: ReadContext) {
    context.store.logInvalidatedRead(className: binding.name)
  }
}

// The contents of values of one type; nil for any other.
extension RowHandle {
  private static func doubleBits(_ value: Value) -> UInt64? {
    if case .double(let value) = value { value.bitPattern } else { nil }
  }

  private static func floatBits(_ value: Value) -> UInt32? {
    if case .float(let value) = value { value.bitPattern } else { nil }
  }

  private static func dateBits(_ value: Value) -> UInt64? {
    if case .date(let value) = value {
      value.timeIntervalSinceReferenceDate.bitPattern
    } else {
      nil
    }
  }

  private static func uuid(_ value: Value) -> UUID? {
    if case .uuid(let value) = value { value } else { nil }
  }

  private static func objectId(_ value: Value) -> ObjectIdBytes? {
    if case .objectId(let value) = value { value } else { nil }
  }

  private static func decimal(_ value: Value) -> Decimal128Bits? {
    if case .decimal(let value) = value { value } else { nil }
  }
}

/// The result of a read of fixed bytes.
enum FixedRead<T: BitwiseCopyable> {
  case value(T)
  case null
  /// The object does not exist.
  case absent
  /// The value is the object's id.
  case inObjectID
  /// The value is not stored in the row.
  case elsewhere
}

extension ReadContext {
  /// Whether reads go through the running transaction of this thread.
  @inline(__always)
  var readsTransaction: Bool {
    _slowPath(hotStore._withUnsafeGuaranteedRef { $0.isWritingThread }) && frozen == nil
  }
}
