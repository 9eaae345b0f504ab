import Dispatch
import Synchronization
import VarveEncoding
import VarveStorage

extension RowScan {
  /// Scans, on several threads where the table is large.
  ///
  /// - Parameters:
  ///   - sink: the sink of each part, before it has taken anything.
  ///   - isShared: whether the parts may be scanned at once; else there is one part.
  /// - Returns: The sinks of the parts, in the order of the ids.
  /// - Throws: what the first part threw that failed.
  func run<S: RowSink>(_ sink: S, isShared: Bool = true) throws(Failure) -> [S] {
    let parts = isShared ? self.parts : [ids]
    if parts.count == 1 || maxThreads < 2 {
      var sinks: [S] = []
      for part in parts {
        var sink = sink
        let wantsMore = try walk(part, &sink)
        sinks.append(sink)
        if !wantsMore { break }
      }
      return sinks
    }
    return try share(parts, sink)
  }

  /// The ranges of ids that a large table is cut into; one for a small table.
  private var parts: [ClosedRange<UInt64>] {
    guard let snapshot = reader as? Snapshot,
      snapshot.count(schema.table) >= RowScan.leastSharedRows
    else { return [ids] }
    var parts: [ClosedRange<UInt64>] = []
    var lower = ids.lowerBound
    for cut in snapshot.cuts(schema.table, parts: RowScan.partCount)
    where cut > lower && cut <= ids.upperBound {
      parts.append(lower...cut - 1)
      lower = cut
    }
    return parts + [lower...ids.upperBound]
  }

  private func share<S: RowSink>(
    _ parts: [ClosedRange<UInt64>], _ sink: S
  ) throws(Failure) -> [S] {
    let results = UnsafeMutableBufferPointer<Result<S, Failure>>.allocate(capacity: parts.count)
    defer { results.deallocate() }
    let next = Atomic<Int>(0)
    // Safe because each part is one thread's, and all of them have ended when `concurrentPerform` returns. The
    // snapshot may be read by any number of threads, and is held by the caller.
    nonisolated(unsafe) let scan = self
    nonisolated(unsafe) let places = results
    nonisolated(unsafe) let empty = sink
    DispatchQueue.concurrentPerform(iterations: min(maxThreads, parts.count)) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < parts.count else { return }
        places.initializeElement(at: index, to: scan.result(of: parts[index], empty))
      }
    }
    defer { results.deinitialize() }
    var sinks: [S] = []
    sinks.reserveCapacity(parts.count)
    for result in results { sinks.append(try result.get()) }
    return sinks
  }

  private func result<S: RowSink>(of part: ClosedRange<UInt64>, _ sink: S) -> Result<S, Failure> {
    var sink = sink
    do throws(Failure) {
      _ = try walk(part, &sink)
      return .success(sink)
    } catch {
      return .failure(error)
    }
  }
}
