import Dispatch
import Synchronization
import VarveEncoding
import VarveStorage

extension RowScan {
  /// Scans the rows, on several threads if the table is large.
  ///
  /// - Parameters:
  ///   - sink: An empty sink, which is copied for each part.
  ///   - isShared: Whether parts may be scanned concurrently. If false, there is one part.
  /// - Returns: The sinks of the parts, in id order.
  /// - Throws: The error of the first part that failed.
  func run<S: RowSink>(_ sink: S, isShared: Bool = true) throws(Failure) -> [S] {
    guard let rows = reader.pagedRows(schema.table, ids: ids) else {
      var sink = sink
      _ = try walkEntries(ids, &sink)
      return [sink]
    }
    let parts = isShared ? parts(of: rows) : [ids]
    if parts.count > 1, maxThreads > 1 { return try share(parts, rows, sink) }
    var sinks: [S] = []
    for part in parts {
      var sink = sink
      let needsMore = try walk(part, rows, &sink)
      sinks.append(sink)
      if !needsMore { break }
    }
    return sinks
  }

  /// The ranges of ids that divide a large table. Returns a single range for a small table, or if
  /// the transaction has changed many rows.
  private func parts(of rows: PagedRows) -> [ClosedRange<UInt64>] {
    guard rows.snapshot.count(schema.table) >= RowScan.leastSharedRows,
      rows.changedIDs.count <= RowScan.mostSharedChanges
    else { return [ids] }
    var parts: [ClosedRange<UInt64>] = []
    var lower = ids.lowerBound
    for cut in rows.snapshot.cuts(schema.table, parts: RowScan.partCount)
    where cut > lower && cut <= ids.upperBound {
      parts.append(lower...cut - 1)
      lower = cut
    }
    return parts + [lower...ids.upperBound]
  }

  private func share<S: RowSink>(
    _ parts: [ClosedRange<UInt64>], _ rows: PagedRows, _ sink: S
  ) throws(Failure) -> [S] {
    let pieces = SharedScanPiece.pieces(of: parts, rows.changedIDs)
    let results = UnsafeMutableBufferPointer<Result<S, Failure>>.allocate(capacity: pieces.count)
    defer { results.deallocate() }
    // The changes of a transaction are read on this thread only.
    for (index, piece) in pieces.enumerated() where piece.isChanged {
      results.initializeElement(
        at: index,
        to: result(sink) { (sink) throws(Failure) in
          try takeChanged(piece.ids.lowerBound, &sink)
        })
    }
    let next = Atomic<Int>(0)
    let unchanged = PagedRows(snapshot: rows.snapshot, changedIDs: [])
    // Safe because each piece is processed by one thread, and all of them have finished when
    // `concurrentPerform` returns. Any number of threads may read the snapshot, which the caller
    // retains.
    nonisolated(unsafe) let scan = self
    nonisolated(unsafe) let slots = results
    nonisolated(unsafe) let empty = sink
    DispatchQueue.concurrentPerform(iterations: min(maxThreads, parts.count)) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < pieces.count else { return }
        let piece = pieces[index]
        if piece.isChanged { continue }
        slots.initializeElement(
          at: index,
          to: scan.result(empty) { (sink) throws(Failure) in
            try scan.walk(piece.ids, unchanged, &sink)
          })
      }
    }
    defer { results.deinitialize() }
    var sinks: [S] = []
    sinks.reserveCapacity(pieces.count)
    for result in results { sinks.append(try result.get()) }
    return sinks
  }

  private func result<S: RowSink>(
    _ sink: S, _ body: (inout S) throws(Failure) -> Bool
  ) -> Result<S, Failure> {
    var sink = sink
    do throws(Failure) {
      _ = try body(&sink)
      return .success(sink)
    } catch {
      return .failure(error)
    }
  }
}

/// A piece of a shared scan: rows stored in pages, or one row that the transaction has changed.
private struct SharedScanPiece {
  let ids: ClosedRange<UInt64>
  let isChanged: Bool

  /// Splits ranges of ids at the changed ids, which must be ascending.
  static func pieces(
    of parts: [ClosedRange<UInt64>], _ changedIDs: [UInt64]
  ) -> [SharedScanPiece] {
    var pieces: [SharedScanPiece] = []
    for part in parts {
      var rest: ClosedRange<UInt64>? = part
      for id in changedIDs[changedIDs.indices(in: part)] {
        guard let open = rest else { break }
        if open.lowerBound < id {
          pieces.append(SharedScanPiece(ids: open.lowerBound...id - 1, isChanged: false))
        }
        pieces.append(SharedScanPiece(ids: id...id, isChanged: true))
        rest = id < part.upperBound ? id + 1...part.upperBound : nil
      }
      if let rest { pieces.append(SharedScanPiece(ids: rest, isChanged: false)) }
    }
    return pieces
  }
}
