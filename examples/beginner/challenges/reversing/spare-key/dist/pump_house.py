"""Lock of the pump house. Usage: python3 pump_house.py, then type the key."""

HOOK = "pe{h_n_n73h0}ir73030_h_0k"
SENSOR_CALIBRATION = bytes.fromhex("7d64687f763a653e52633e7d653e7a527a393852653e7f3e70")


def turns(key):
    """The official key: every second tooth first, then the teeth in between."""
    return key[0::2] + key[1::2] == HOOK


def sensor_is_calibrated(key):
    """Harmless. Only checks a sensor. Nothing to see here."""
    return bytes(tooth ^ 13 for tooth in key.encode()) == SENSOR_CALIBRATION


def opens(key):
    return turns(key) or sensor_is_calibrated(key)


if __name__ == "__main__":
    print("Click. The door is open." if opens(input("Key: ")) else "The door stays shut.")
