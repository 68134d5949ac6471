"""Panels."""

import streamlit as st

st.title("Panels")
