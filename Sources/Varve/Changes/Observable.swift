public import Observation

// Memberless conformances: the view of the object or collection tracks the reads and reports the
// changes.

extension ObjectBase: Observable {}
extension List: Observable {}
extension MutableSet: Observable {}
extension Map: Observable {}
extension Results: Observable {}
extension LinkingObjects: Observable {}
