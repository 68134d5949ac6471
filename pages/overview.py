"""What Hinge is."""

import streamlit as st

st.title("Hinge")
