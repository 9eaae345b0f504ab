import VarveEncoding
import VarveStorage

/// Bytes of strings and data in place.
extension RowHandle {
  /// Returns the bytes of a string or of data in the version that the handle reads, which stay as
  /// they are although the view moves; inside a write, a copy.
  ///
  /// Damage is recorded, before anything is returned.
  ///
  /// - Parameters:
  ///   - slot: A property of the type string or data.
  ///   - range: The bytes wanted. It is clamped to the existing ones.
  ///   - isJoined: Whether bytes in several chunks are copied into one part.
  /// - Returns: Nil for null, for an object that does not exist, and for damaged bytes.
  /// - Complexity: One search for a value in the row, and one for each chunk of the range; O(bytes)
  ///   of a copy.
  package func lend(_ slot: Int, in range: Range<Int>, isJoined: Bool) -> LentBytes? {
    withContext { context in
      if _slowPath(mayLackDefault(slot)) {
        return lendPossiblyMissing(slot, context, range, isJoined)
      }
      if context.readsTransaction { return copyInTransaction(slot, context, range) }
      let pinned = pin(context, slot)
      let found = pinned.row.flatMap { lend(slot, in: range, of: $0, pinned.snapshot, isJoined) }
      pinned.end()
      if let found { return found }
      return lendOtherwise(slot, context, range, isJoined)
    }
  }

  /// Returns the bytes in an announced row; nil when they have to be read by the general path.
  @inline(__always)
  private func lend(
    _ slot: Int, in range: Range<Int>, of row: UnsafeRawPointer, _ snapshot: Unmanaged<Snapshot>,
    _ isJoined: Bool
  ) -> LentBytes?? {
    let access = access(slot, in: row)
    if access.isNull(in: row) { return .some(nil) }
    guard access.offset > 0, let bytes = VariableBytes(in: row, slot: Int(access.offset)) else {
      return nil
    }
    let lent = snapshot._withUnsafeGuaranteedRef {
      try? $0.lend(bytes, in: range, isJoined: isJoined)
    }
    return lent.map(LentBytes?.some)
  }

  /// Lends the bytes of a row that does not exist, lacks the property, or is damaged. See
  /// ``value(_:)``.
  @inline(never)
  private func lendOtherwise(
    _ slot: Int, _ context: ReadContext, _ range: Range<Int>, _ isJoined: Bool
  ) -> LentBytes? {
    do throws(Failure) {
      guard let (schema, property) = stored(slot, context) else {
        return try LentBytes.copy(of: valueOfUnknown(slot, context), in: range)
      }
      if property.mayLackDefault { return try LentBytes.copy(of: value(slot), in: range) }
      let snapshot = context.snapshot
      guard !context.isInvalidated, let row = try snapshot.row(schema, id) else {
        logInvalidatedRead(context)
        return nil
      }
      guard let field = row.layout.field(forProperty: property.id) else {
        return try LentBytes.copy(of: property.constant, in: range)
      }
      if row.isNull(field) { return nil }
      let bytes = try Failure.decoding("A row is damaged.", try row.bytes(at: field))
      return try snapshot.lend(bytes, in: range, isJoined: isJoined)
    } catch {
      context.store.markDamaged(error.message)
      return nil
    }
  }

  private func copyInTransaction(
    _ slot: Int, _ context: ReadContext, _ range: Range<Int>
  ) -> LentBytes? {
    guard let transaction = context.transaction else {
      return lendOtherwise(slot, context, range, true)
    }
    do throws(Failure) {
      guard let (schema, property) = stored(slot, context) else {
        return try LentBytes.copy(of: valueOfUnknown(slot, context), in: range)
      }
      if property.mayLackDefault { return try LentBytes.copy(of: value(slot), in: range) }
      guard !context.isInvalidated,
        let bytes = try transaction.copyBytes(schema, id, property, in: range)
      else {
        transaction.markFailed(invalidatedFailure(slot))
        return nil
      }
      return bytes
    } catch {
      context.store.markDamaged(error.message)
      return nil
    }
  }
}
