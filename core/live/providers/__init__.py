"""Who answers: one module for each kind of endpoint, all behind one small interface."""
