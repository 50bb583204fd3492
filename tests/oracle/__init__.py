"""An independent, scalar reading of the Dou Dizhu rule pages: one hand at a time, as plain as possible."""
