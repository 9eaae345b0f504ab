import VarveCore
import VarveEncoding

/// The state that only few unmanaged objects have besides their values.
final class UnmanagedNotes {
  /// The first failure of the object, which the write that adds the object throws.
  var failure: Failure?
  /// Whether the object was created from a value. An update leaves properties unchanged that the
  /// value lacks.
  var isPartial = false
  var recorder: _KeyPathRecorder?
  /// The property slots that were set since the object began to be stored.
  var lateSlots: Set<Int> = []
}

/// The values of an unmanaged object, in one allocation.
///
/// The structure is a pointer: only the values count references. The owner of the last copy calls
/// ``release()`` once.
///
/// Thread safety: none of its own; the object's lock guards it. Its methods run no code of the
/// model: defaults that do are evaluated outside of the lock, and replaced values are released
/// there.
struct UnmanagedState: @unchecked Sendable {
  // Safe because it is accessed only under the lock of the object that owns it, or by the thread to
  // which the object has transferred it.

  private struct Header {
    /// The class, which lives as long as the process.
    let info: Unmanaged<ClassInfo>
    let count: Int
    /// The number of property slots without a value.
    var unsetCount: Int
    /// Whether the object has begun to be stored.
    var isBeingStored = false
    var notes: UnmanagedNotes?
  }

  private let header: UnsafeMutablePointer<Header>

  /// The offset of the values from the start of the allocation.
  private static var valuesOffset: Int {
    let alignment = MemoryLayout<_Boxed>.alignment
    return (MemoryLayout<Header>.size + alignment - 1) / alignment * alignment
  }

  /// Creates the initial state of an object of a class.
  init(_ info: Unmanaged<ClassInfo>) {
    let count = info._withUnsafeGuaranteedRef { $0.properties.count }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.valuesOffset + count * MemoryLayout<_Boxed>.stride,
      alignment: MemoryLayout<_Boxed>.alignment)
    header = memory.bindMemory(to: Header.self, capacity: 1)
    header.initialize(to: Header(info: info, count: count, unsetCount: count, notes: nil))
    let values = (memory + Self.valuesOffset).bindMemory(to: _Boxed.self, capacity: count)
    for slot in 0..<count { (values + slot).initialize(to: _Boxed(.unset)) }
  }

  /// Frees the memory and releases the values, which may run code of the model. Must not be called
  /// under a lock.
  ///
  /// Objects and collections are released through ``ReleaseQueue``, so that chains of them do not
  /// nest calls.
  func release() {
    let count = header.pointee.count
    var released: [_Boxed] = []
    if header.pointee.info._withUnsafeGuaranteedRef({ $0.mayContainObjects }) {
      for slot in 0..<count where values[slot].mayReleaseUnmanaged { released.append(values[slot]) }
    }
    for slot in 0..<count where values[slot].isCounted { (values + slot).deinitialize(count: 1) }
    header.deinitialize(count: 1)
    UnsafeMutableRawPointer(header).deallocate()
    if !released.isEmpty { ReleaseQueue.release(&released) }
  }

  /// The values, one for each property slot.
  @inline(__always)
  var values: UnsafeMutablePointer<_Boxed> {
    (UnsafeMutableRawPointer(header) + Self.valuesOffset).assumingMemoryBound(to: _Boxed.self)
  }

  private var info: ClassInfo { header.pointee.info._withUnsafeGuaranteedRef { $0 } }

  /// The notes; nil while the object has none.
  @inline(__always)
  var notes: UnmanagedNotes? { header.pointee.notes }

  /// Returns the notes, and creates them when there are none.
  func makeNotes() -> UnmanagedNotes {
    if let notes = header.pointee.notes { return notes }
    let notes = UnmanagedNotes()
    header.pointee.notes = notes
    return notes
  }

  /// Returns the value of a property slot. The caller resolves an unset value to its default.
  func box(_ slot: Int) -> _Boxed {
    if let recorder = header.pointee.notes?.recorder,
      let answer = recorder.note(info.properties[slot])
    {
      return answer
    }
    return values[slot]
  }

  /// Sets a property slot to its default unless it has been set since. The value is kept, so that a
  /// default such as `UUID()` is evaluated once for each object.
  ///
  /// - Returns: The value of the slot.
  func resolve(_ slot: Int, _ initial: _Boxed) -> _Boxed {
    if values[slot].isUnset {
      values[slot] = initial
      if !initial.isUnset { header.pointee.unsetCount -= 1 }
    }
    return values[slot]
  }

  /// Sets the unset property slots whose default is known to the class, because it runs no code of
  /// the model.
  ///
  /// - Returns: Whether slots without a value are left.
  func resolveConstants() -> Bool {
    _ = lacksValues
    return header.pointee.unsetCount != 0
  }

  /// Sets constant defaults like ``resolveConstants()``. True when a slot is left without a value
  /// that is required to store the object.
  @inline(__always)
  var lacksValues: Bool { header.pointee.unsetCount != 0 && lacksValuesOfOthers() }

  private func lacksValuesOfOthers() -> Bool {
    header.pointee.info._withUnsafeGuaranteedRef { info in
      var isLacking = false
      for slot in 0..<header.pointee.count where values[slot].isUnset {
        if info.needsNoValue[slot] { continue }
        if let constant = info.constantDefaults[slot] {
          values[slot] = constant
          header.pointee.unsetCount -= 1
        } else {
          isLacking = true
        }
      }
      return isLacking
    }
  }

  /// Returns the first unset slot at or after `start` whose property satisfies a predicate.
  func unsetSlot(from start: Int, _ isIncluded: (PropertyDescriptor) -> Bool) -> Int? {
    let properties = info.properties
    return (start..<header.pointee.count).first { values[$0].isUnset && isIncluded(properties[$0]) }
  }

  /// Exchanges the value of a property slot for another one.
  @inline(__always)
  func exchange(_ slot: Int, _ box: inout _Boxed) {
    let new = box.isUnset
    swap(&values[slot], &box)
    let old = box.isUnset
    if old != new { header.pointee.unsetCount += old ? -1 : 1 }
    if header.pointee.isBeingStored { makeNotes().lateSlots.insert(slot) }
  }

  /// Starts recording which property slots are set.
  func beginStoring() {
    header.pointee.isBeingStored = true
    header.pointee.notes?.lateSlots = []
  }

  /// The values that are not plain: objects, collections and mixed values.
  var boxesToStore: [(slot: Int, box: _Boxed)] {
    header.pointee.info._withUnsafeGuaranteedRef { info in
      guard info.mayContainObjects else { return [] }
      var boxes: [(slot: Int, box: _Boxed)] = []
      for slot in 0..<header.pointee.count {
        switch values[slot].content {
        case .object, .collection: boxes.append((slot, values[slot]))
        case .value where info.properties[slot].type.kind.type == .mixed:
          boxes.append((slot, values[slot]))
        case .value, .unset: break
        }
      }
      return boxes
    }
  }

  /// Returns copies of all values.
  func copy() -> UnmanagedValues {
    UnmanagedValues(
      boxes: Array(UnsafeBufferPointer(start: values, count: header.pointee.count)),
      failure: notes?.failure)
  }
}

/// Copies of the values of an unmanaged object.
package struct UnmanagedValues {
  var boxes: [_Boxed]
  var failure: Failure?
}

extension _Boxed {
  /// Whether releasing the value does more than freeing its memory.
  @inline(__always)
  fileprivate var isCounted: Bool {
    switch content {
    case .unset: false
    case .object, .collection: true
    case .value(let value):
      switch value {
      case .string, .data: true
      case .null, .bool, .int, .float, .double, .date, .uuid, .objectId, .decimal, .link, .nested:
        false
      }
    }
  }

  /// Whether there is no value, not even null.
  @inline(__always)
  var isUnset: Bool {
    if case .unset = content { true } else { false }
  }
}
