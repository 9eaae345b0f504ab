package import Foundation

/// Runs workloads on one engine, and keeps the store for further workloads that read the same data.
package final class Shelf {
  private let type: any Engine.Type
  private let directory: URL
  private let scale: Double
  private let children: @Sendable (URL) -> ChildProcesses

  private var kept: (key: Key, engine: any Engine, directory: URL)?

  private struct Key: Hashable {
    var preparation: Preparation
    var stored: Int
    var durability: Durability
  }

  /// - Parameters:
  ///   - type: The type of the engine.
  ///   - directory: The directory for stores. Each store gets a separate subdirectory, which is
  ///     removed.
  ///   - scale: The factor of all sizes.
  ///   - children: Starts further processes on the store of a directory.
  package init(
    _ type: any Engine.Type, directory: URL, scale: Double,
    children: (@Sendable (URL) -> ChildProcesses)? = nil
  ) {
    self.type = type
    self.directory = directory
    self.scale = scale
    self.children = children ?? { ChildProcesses(engine: type.name, directory: $0) }
  }

  /// Runs a workload once.
  ///
  /// - Parameter size: One of the sizes of the workload.
  /// - Returns: The checked measurements.
  /// - Throws: ``NotOffered``; ``BenchmarkError`` when the engine gives a wrong answer; any error
  ///   of the engine.
  package func measure(_ workload: Workload, size: Int) throws -> [Sample] {
    let key = Key(
      preparation: workload.preparation,
      stored: min(
        type.largestCount(of: workload), workload.stored(size: size, scale: scale)),
      durability: workload.durability)
    if kept?.key != key { try clear() }
    let (engine, directory) = try kept.map { ($0.engine, $0.directory) } ?? open(workload, key)
    try requireOffered(workload, by: engine)
    let context = WorkloadContext(
      engine: type, workload: workload.name, count: size, stored: key.stored, scale: scale,
      directory: directory, writeBack: engine.writeBack, children: children(directory))
    ResidentMemory.resetPeak()
    do {
      let samples = try workload.measure(engine, context)
      if workload.changesStore || workload.preparation == .nothing { try clear() }
      return samples
    } catch {
      // The first error is reported.
      try? clear()
      throw error
    }
  }

  /// Closes and removes the current store.
  package func clear() throws {
    guard let last = kept else { return }
    kept = nil
    defer {
      try? FileManager.default.removeItem(at: last.directory)
      // The pending work of the file system must not affect the next measurement.
      sync()
    }
    try last.engine.close()
  }

  private func open(_ workload: Workload, _ key: Key) throws -> (any Engine, URL) {
    let location = directory.appendingPathComponent(
      "\(type.name)-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(
      at: location, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      let engine = try type.init(directory: location, durability: workload.durability)
      kept = (key, engine, location)
      // The kept store is filled: other workloads read it.
      try requireOffered(workload, by: engine)
      try fill(engine, key)
      return (engine, location)
    } catch {
      if kept == nil { try? FileManager.default.removeItem(at: location) } else { try? clear() }
      throw error
    }
  }

  private func requireOffered(_ workload: Workload, by engine: any Engine) throws {
    guard workload.isOffered(engine) else {
      throw NotOffered("\(type.name) does not offer \(workload.name)")
    }
  }

  private func fill(_ engine: any Engine, _ key: Key) throws {
    let count = key.stored
    switch key.preparation {
    case .nothing: break
    case .persons:
      try offered(engine, (any PersonEngine).self)
        .insertPersons(0..<count, perTransaction: .max)
    case .indexedPersons:
      try offered(engine, (any QueryEngine).self).insertIndexedPersons(count)
    case .namedPersons:
      try offered(engine, (any NamedPersonEngine).self).insertNamedPersons(count)
    case .list: try offered(engine, (any ListEngine).self).appendToList(count)
    case .map: try offered(engine, (any MapEngine).self).insertIntoMap(Inputs.keys(count))
    case .smallLists:
      try offered(engine, (any SmallListEngine).self)
        .insertSmallLists(SmallCollections.lists(count), perTransaction: 1000)
    case .smallMaps:
      try offered(engine, (any SmallMapEngine).self)
        .insertSmallMaps(SmallCollections.maps(count), perTransaction: 1000)
    case .blobs:
      try offered(engine, (any BlobEngine).self).writeBlobs(0..<count, perTransaction: 1000)
    case .pages: try offered(engine, (any WebEngine).self).storePages(0..<count)
    case .documents: try offered(engine, (any DocumentEngine).self).insertDocuments(count)
    case .members: try offered(engine, (any MemberEngine).self).insertMembers(count)
    case .issues: try offered(engine, (any ServerEngine).self).insertIssues(count)
    case .notes:
      try offered(engine, (any SearchEngine).self)
        .insertNotes(Notes.texts(0..<count), from: 0, perTransaction: 1000)
    }
  }

  private func offered<E>(_ engine: any Engine, _: E.Type) throws -> E {
    guard let engine = engine as? E else { throw NotOffered("not \(E.self)") }
    return engine
  }
}
