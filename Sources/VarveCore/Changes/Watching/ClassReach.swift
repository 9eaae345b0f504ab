import VarveEncoding

/// The classes that can be reached over links from objects of one class, and how far they are.
struct ClassReach {
  private var distances: [UInt32: Int] = [:]
  /// The properties that link to a class, the nearest first.
  private var origins: [UInt32: [Origin]] = [:]

  /// A property that links, and how far the objects that have it are.
  struct Origin {
    let classID: UInt32
    let propertyID: UInt32
    let distance: Int
  }

  /// - Parameters:
  ///   - start: the class at distance 0.
  ///   - depth: how many links are followed.
  ///   - file: the schema that the classes are of.
  /// - Complexity: O(properties of the classes).
  init(from start: ClassSchema, depth: Int, in file: FileSchema) {
    distances[start.id] = 0
    var level = [start]
    for distance in 0...depth {
      var next: [ClassSchema] = []
      for schema in level {
        for property in schema.properties where property.kind.type.mayLink {
          let origin = Origin(classID: schema.id, propertyID: property.id, distance: distance)
          for target in property.linkedClasses(in: file) {
            origins[target.id, default: []].append(origin)
            guard distance < depth, distances[target.id] == nil else { continue }
            distances[target.id] = distance + 1
            next.append(target)
          }
        }
      }
      level = next
    }
  }

  /// The ids of the classes, in no order.
  var classIDs: some Sequence<UInt32> { distances.keys }

  /// The properties through which objects at this distance, or nearer, may link to those of a class.
  func origins(of classID: UInt32, within distance: Int) -> some Collection<Origin> {
    (origins[classID] ?? []).prefix { $0.distance <= distance }
  }
}

extension StoredProperty {
  /// The classes that a property may link to: one, or of mixed values any.
  fileprivate func linkedClasses(in file: FileSchema) -> [ClassSchema] {
    kind.type == .mixed ? file.classes : file.schema(ofClass: linkedClassID).map { [$0] } ?? []
  }
}
