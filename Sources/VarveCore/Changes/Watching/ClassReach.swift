import VarveEncoding

/// The classes that can be reached through links from objects of one class, with their distances.
struct ClassReach {
  private var distances: [UInt32: Int] = [:]
  /// The properties that link to a class, the nearest first.
  private var origins: [UInt32: [Origin]] = [:]

  /// A linking property, and the distance of the objects that have it.
  struct Origin {
    let classID: UInt32
    let propertyID: UInt32
    let distance: Int
  }

  /// - Parameters:
  ///   - start: The class at distance 0.
  ///   - depth: The number of links to follow.
  ///   - file: The schema that contains the classes.
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

  /// The ids of the classes, in no particular order.
  var classIDs: some Sequence<UInt32> { distances.keys }

  /// Returns the properties through which objects within a distance may link to objects of a class.
  func origins(of classID: UInt32, within distance: Int) -> some Collection<Origin> {
    (origins[classID] ?? []).prefix { $0.distance <= distance }
  }
}

extension StoredProperty {
  /// Returns the classes to which a property may link: one class, or every class for mixed values.
  fileprivate func linkedClasses(in file: FileSchema) -> [ClassSchema] {
    kind.type == .mixed ? file.classes : file.schema(ofClass: linkedClassID).map { [$0] } ?? []
  }
}
