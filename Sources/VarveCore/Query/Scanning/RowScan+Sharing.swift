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
      let wantsMore = try walk(part, rows, &sink)
      sinks.append(sink)
      if !wantsMore { break }
    }
    return sinks
  }

  /// The ranges of ids that a large table is cut into; one for a small table, and where a transaction has changed many rows.
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
    // A transaction is read on this thread alone.
    for (index, piece) in pieces.enumerated() where piece.isChanged {
      results.initializeElement(
        at: index,
        to: result(sink) { (sink) throws(Failure) in
          try takeChanged(piece.ids.lowerBound, &sink)
        })
    }
    let next = Atomic<Int>(0)
    let unchanged = PagedRows(snapshot: rows.snapshot, changedIDs: [])
    // Safe because each piece is one thread's, and all of them have ended when `concurrentPerform` returns. The
    // snapshot may be read by any number of threads, and is held by the caller.
    nonisolated(unsafe) let scan = self
    nonisolated(unsafe) let places = results
    nonisolated(unsafe) let empty = sink
    DispatchQueue.concurrentPerform(iterations: min(maxThreads, parts.count)) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < pieces.count else { return }
        let piece = pieces[index]
        if piece.isChanged { continue }
        places.initializeElement(
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

/// A part of a shared scan: rows that lie in pages, or one that the transaction has changed.
private struct SharedScanPiece {
  let ids: ClosedRange<UInt64>
  let isChanged: Bool

  /// Cuts ranges of ids at the changed ids, which ascend.
  static func pieces(
    of parts: [ClosedRange<UInt64>], _ changedIDs: [UInt64]
  ) -> [SharedScanPiece] {
    var pieces: [SharedScanPiece] = []
    for part in parts {
      var rest: ClosedRange<UInt64>? = part
      for id in changedIDs[changedIDs.places(in: part)] {
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
