"""What a fight is made of and how its log is followed: events, the state, dice, geometry. It knows no rule."""
