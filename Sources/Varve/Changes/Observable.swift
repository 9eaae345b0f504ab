public import Observation

// Conformances without members: who reads is known from the view, and what is told of comes from there too.

extension ObjectBase: Observable {}
extension List: Observable {}
extension MutableSet: Observable {}
extension Map: Observable {}
extension Results: Observable {}
extension LinkingObjects: Observable {}
