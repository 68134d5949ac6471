"""What a verdict hinges on: many specifications at once, and which choices move the verdict."""
